/// The stable name of a finding for programs: see lanyard-doctor(1). A code never changes its meaning.
package enum FindingCode: String, Sendable, CaseIterable {
    case homeMissing = "home-missing"
    case variablePointsNowhere = "variable-points-nowhere"
    case folderOpenToOthers = "folder-open-to-others"
    case fileOpenToOthers = "file-open-to-others"
    case wrongOwner = "wrong-owner"
    case symbolicLink = "symbolic-link"
    case wrongFileType = "wrong-file-type"
    case placeUnusable = "place-unusable"
    case placeReadOnly = "place-read-only"
    case stateReadOnly = "state-read-only"
    case diskFull = "disk-full"
    case networkFileSystem = "network-file-system"
    case locksRefused = "locks-refused"
    case configurationUnreadable = "configuration-unreadable"
    case configurationMistake = "configuration-mistake"
    case configurationUnknownSetting = "configuration-unknown-setting"
    case keychainMissing = "keychain-missing"
    case keychainLocked = "keychain-locked"
    case passphraseFileWrong = "passphrase-file-wrong"
    case keychainBusy = "keychain-busy"
    case keychainOlderCopy = "keychain-older-copy"
    case keychainWrongFormat = "keychain-wrong-format"
    case keychainNewerFormat = "keychain-newer-format"
    case keychainDamaged = "keychain-damaged"
    case keychainUnreadable = "keychain-unreadable"
    case machineKeyMissing = "machine-key-missing"
    case machineKeyDamaged = "machine-key-damaged"
    case machineKeyOther = "machine-key-other"
    case machineKeyUnreadable = "machine-key-unreadable"
    case machineKeyPlain = "machine-key-plain"
    case noRecoveryKey = "no-recovery-key"
    case recoveryKeyIncomplete = "recovery-key-incomplete"
    case securityKeyProgramMissing = "security-key-program-missing"
    case teamDamaged = "team-damaged"
    case teamUnreadable = "team-unreadable"
    case teamBusy = "team-busy"
    case teamRemoved = "team-removed"
    case teamWaiting = "team-waiting"
    case teamConflicts = "team-conflicts"
    case teamSetAside = "team-set-aside"
    case keyringRefused = "keyring-refused"
    case keyringFull = "keyring-full"
    case memoryNotLocked = "memory-not-locked"
    case pluginMissing = "plugin-missing"
    case secretServiceUnreachable = "secret-service-unreachable"
    case secretServiceLocked = "secret-service-locked"
    case storedElsewhere = "stored-elsewhere"
    case secretServiceNone = "secret-service-none"
    case secretServiceOther = "secret-service-other"
    case secretServiceDisplaced = "secret-service-displaced"
    case secretServiceNotRunning = "secret-service-not-running"
    case secretServiceOldProgram = "secret-service-old-program"
    case secretServiceProgramMissing = "secret-service-program-missing"
    case secretServiceOtherPath = "secret-service-other-path"
    case secretServiceSeveralFiles = "secret-service-several-files"
    case secretServiceNoBus = "secret-service-no-bus"
    case secretServiceUnknown = "secret-service-unknown"
    case secretServiceLibraryMissing = "secret-service-library-missing"
    case gitNotSetUp = "git-not-set-up"
    case gitHelperReset = "git-helper-reset"
    case gitOtherHelperFirst = "git-other-helper-first"
    case gitHelperForURL = "git-helper-for-url"
    case gitHelperForRemote = "git-helper-for-remote"
    case gitPlainTextHelper = "git-plain-text-helper"
    case gitHelperMissing = "git-helper-missing"
    case gitHelperAnswersAnything = "git-helper-answers-anything"
    case gitHelperFails = "git-helper-fails"
    case gitUseHTTPPath = "git-use-http-path"
    case gitGlobalHidden = "git-global-hidden"
    case gitConfigurationUnreadable = "git-configuration-unreadable"
    case gitOld = "git-old"
    case gitLoginExpired = "git-login-expired"
    case gitSeveralAccounts = "git-several-accounts"
    case gitUnknownAccount = "git-unknown-account"
    case askpassMissing = "askpass-missing"
    case askpassScript = "askpass-script"
    case dockerNotSetUp = "docker-not-set-up"
    case dockerOtherHelper = "docker-other-helper"
    case dockerRegistryHelper = "docker-registry-helper"
    case dockerHelperMissing = "docker-helper-missing"
    case dockerHelperFails = "docker-helper-fails"
    case dockerConfigurationUnreadable = "docker-configuration-unreadable"
    case dockerAuthVariable = "docker-auth-variable"
    case containersNotSetUp = "containers-not-set-up"
    case containersOtherHelper = "containers-other-helper"
    case containersPathUnused = "containers-path-unused"
    case toolSetupChanged = "tool-setup-changed"
    case toolHelperMissing = "tool-helper-missing"
    case helperNotFound = "helper-not-found"
    case helperNotInJobs = "helper-not-in-jobs"
    case dockerHelperNotInJobs = "docker-helper-not-in-jobs"
    case helperOtherVersion = "helper-other-version"
    case programHangs = "program-hangs"
    case plainTextGit = "plain-text-git"
    case plainTextDocker = "plain-text-docker"
    case plainTextNetrc = "plain-text-netrc"
    case plainTextTool = "plain-text-tool"
    case plainTextURL = "plain-text-url"
    case plainTextHeader = "plain-text-header"
    case loginInOtherGroup = "login-in-other-group"
    case certificateExpired = "certificate-expired"
    case certificateExpires = "certificate-expires"
    case trialLoginLeft = "trial-login-left"
    case clockWrong = "clock-wrong"
    case itemsFromTheFuture = "items-from-the-future"
    case checkFailed = "check-failed"

    /// How much such a finding matters.
    package var severity: Finding.Severity {
        switch self {
        case .networkFileSystem, .machineKeyPlain, .noRecoveryKey, .recoveryKeyIncomplete,
            .teamBusy, .teamConflicts,
            .gitHelperForURL, .gitOld,
            .gitSeveralAccounts, .dockerRegistryHelper, .helperNotInJobs, .dockerHelperNotInJobs,
            .trialLoginLeft,
            .secretServiceNone, .secretServiceOther, .secretServiceNoBus, .memoryNotLocked,
            .checkFailed:
            .note
        case .placeReadOnly, .stateReadOnly, .configurationMistake, .configurationUnknownSetting,
            .keychainLocked, .keychainBusy, .securityKeyProgramMissing, .teamWaiting,
            .teamSetAside,
            .keyringRefused, .keyringFull,
            .secretServiceUnreachable, .secretServiceLocked, .storedElsewhere,
            .secretServiceDisplaced, .secretServiceNotRunning, .secretServiceOldProgram,
            .secretServiceOtherPath, .secretServiceSeveralFiles, .secretServiceUnknown,
            .secretServiceLibraryMissing, .dockerHelperFails,
            .gitNotSetUp,
            .gitHelperReset, .gitOtherHelperFirst, .gitHelperForRemote, .gitHelperMissing,
            .gitHelperAnswersAnything,
            .gitUseHTTPPath, .gitGlobalHidden,
            .gitLoginExpired, .gitUnknownAccount, .askpassMissing, .askpassScript, .dockerNotSetUp,
            .dockerOtherHelper, .dockerAuthVariable, .containersNotSetUp,
            .containersOtherHelper, .containersPathUnused, .plainTextGit,
            .plainTextDocker,
            .toolSetupChanged, .plainTextTool,
            .plainTextNetrc, .plainTextURL, .plainTextHeader, .loginInOtherGroup,
            .certificateExpired, .certificateExpires, .itemsFromTheFuture:
            .warning
        default: .error
        }
    }

    /// Whether such a finding names a choice of the user or a property of the system, about which nothing has to be
    /// done: it is shown on request only.
    package var isRemark: Bool {
        [
            .gitOld, .gitHelperForURL, .dockerRegistryHelper, .dockerHelperNotInJobs,
            .secretServiceOther,
        ].contains(self)
    }
}
