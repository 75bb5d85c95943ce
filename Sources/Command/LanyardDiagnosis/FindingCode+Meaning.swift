extension FindingCode {
    /// The meaning of such a finding: one line, lower case, no full stop.
    package var meaning: String {
        switch self {
        case .homeMissing: "the keychain needs a home folder"
        case .variablePointsNowhere: "an environment variable names something that does not exist"
        case .folderOpenToOthers: "Lanyard refuses folders that other users can reach"
        case .fileOpenToOthers: "Lanyard refuses files that other users can reach"
        case .wrongOwner: "Lanyard refuses files and folders of another user"
        case .symbolicLink: "Lanyard refuses links, which may lead to another user's file"
        case .wrongFileType: "Lanyard refuses it, and commands that need it fail"
        case .placeUnusable: "Lanyard can neither store nor find anything there"
        case .placeReadOnly: "logins can be read, but new ones can't be stored, and git asks again"
        case .stateReadOnly: "changes are stored, but older copies of a keychain go unnoticed"
        case .diskFull: "new logins can't be stored, and git asks again"
        case .networkFileSystem: "the keychain depends on the server's file locks"
        case .locksRefused: "without locks, two programs writing at once damage the keychain"
        case .configurationUnreadable: "no program knows which keychain to use"
        case .configurationMistake:
            "this setting has an invalid value"
        case .configurationUnknownSetting: "the setting has no effect; it may be misspelled"
        case .keychainMissing: "its items are not found, and nothing can be stored in it"
        case .keychainLocked: "git and docker ask again, or fail, until you unlock it"
        case .passphraseFileWrong: "programs that get this passphrase can't unlock the keychain"
        case .keychainBusy: "another program is using the keychain, and all others wait"
        case .keychainOlderCopy: "the file is older than the one last used, so Lanyard refuses it"
        case .keychainWrongFormat: "the file is not a keychain, or is damaged"
        case .keychainNewerFormat: "a newer version wrote it, and this one can't read it"
        case .keychainDamaged: "parts of it are damaged or were tampered with"
        case .keychainUnreadable: "the file can't be opened"
        case .machineKeyMissing: "without this machine's key the keychain does not open"
        case .machineKeyDamaged: "without this machine's key no keychain opens"
        case .machineKeyOther: "the keychain was encrypted with another machine key"
        case .machineKeyUnreadable: "keychains open only with their recovery keys"
        case .machineKeyPlain:
            "a copy of your home folder opens keychains without a passphrase"
        case .noRecoveryKey: "if you lose the folder with the machine key, you lose all logins"
        case .recoveryKeyIncomplete: "if you forget the passphrase, you lose the items that ask"
        case .securityKeyProgramMissing:
            "items that ask take the passphrase or the recovery key, and no touch"
        case .teamDamaged: "its items stay, but no change travels in either direction"
        case .teamUnreadable: "its items stay, but no change travels in either direction"
        case .teamBusy: "it is not known what waits until the exchange ends"
        case .teamRemoved: "its items stay, but no change travels in either direction"
        case .teamWaiting: "other devices don't have the newest items, or this one does not"
        case .teamConflicts: "all devices show one of both changes; the other is an older version"
        case .teamSetAside: "all devices show an earlier version, or none"
        case .keyringRefused: "unlocking lasts for one program only, and the next asks again"
        case .memoryNotLocked: "secrets in use may reach the swap space on the disk"
        case .keyringFull: "unlocking may last for one program only, and the next asks again"
        case .pluginMissing: "without its plugin the keychain can't be reached"
        case .secretServiceUnreachable: "the logins stored there are not found"
        case .secretServiceLocked: "its logins can't be read until it is unlocked on the desktop"
        case .storedElsewhere:
            "programs that use another search list don't find these logins"
        case .secretServiceNone: "programs store tokens in plain text, or fail"
        case .secretServiceOther: "programs store tokens there, and not in the keychain"
        case .secretServiceDisplaced:
            "programs find the tokens there, and not those in the keychain"
        case .secretServiceNotRunning:
            "programs that only look for a running Secret Service, such as docker, find none"
        case .secretServiceOldProgram: "an upgrade has no effect on it until it ends"
        case .secretServiceProgramMissing: "programs that need the Secret Service fail"
        case .secretServiceOtherPath: "the Secret Service may be of another version"
        case .secretServiceSeveralFiles: "the bus may start either program"
        case .secretServiceNoBus: "programs find no Secret Service without a session bus"
        case .secretServiceLibraryMissing:
            "programs that need the Secret Service, or Lanyard itself, don't reach it"
        case .secretServiceUnknown: "the session bus, or the program that asks it, does not work"
        case .gitNotSetUp: "git asks each time, or another helper answers"
        case .gitHelperReset:
            "an empty credential.helper hides lanyard from git, which asks again"
        case .gitOtherHelperFirst:
            "another helper answers before lanyard, perhaps with an old login"
        case .gitHelperForURL:
            "for these URLs git asks that helper, and lanyard later or never"
        case .gitHelperForRemote:
            "for this repository git asks you each time, or another helper"
        case .gitPlainTextHelper: "git also writes each login to a plain-text file"
        case .gitHelperMissing: "git can't run this helper, and complains each time"
        case .gitHelperAnswersAnything: "a helper makes up a login for a host that does not exist"
        case .gitHelperFails: "git gets no answer from lanyard, and asks again"
        case .gitUseHTTPPath: "git wants a login for each repository, and asks again for the next"
        case .gitGlobalHidden: "git does not read your configuration, so it does not use lanyard"
        case .gitConfigurationUnreadable: "git itself fails"
        case .gitOld: "git before 2.46 loses the state and the type of a login"
        case .gitLoginExpired: "git ignores an expired login and asks again"
        case .gitSeveralAccounts:
            "git uses the login stored last, unless the URL names an account"
        case .gitUnknownAccount: "git asks for the password of this account, or fails in a job"
        case .askpassMissing: "git can't ask you for a new login"
        case .askpassScript: "a script that answers for you may hold a password in plain text"
        case .dockerNotSetUp: "docker stores its logins in plain text"
        case .dockerOtherHelper: "docker stores its logins elsewhere"
        case .dockerRegistryHelper: "the login for this registry is stored elsewhere"
        case .dockerHelperFails: "docker gets no login there, and fails or asks again"
        case .dockerHelperMissing: "docker finds no login there, and fails or asks again"
        case .dockerConfigurationUnreadable: "docker itself fails"
        case .dockerAuthVariable:
            "docker reads logins in plain text from this variable first"
        case .containersNotSetUp: "podman, skopeo and buildah store their logins in plain text"
        case .containersOtherHelper: "podman, skopeo and buildah also ask another helper"
        case .containersPathUnused:
            "podman, skopeo and buildah use the login for the whole registry there"
        case .toolSetupChanged:
            "the tool no longer asks lanyard, and may store logins in plain text"
        case .toolHelperMissing: "the tool gets no login"
        case .helperNotFound: "a tool can't run its helper, and asks again"
        case .helperNotInJobs, .dockerHelperNotInJobs:
            "cron, systemd and SSH set a short PATH, and the tool asks again there"
        case .helperOtherVersion: "two versions are installed, and a tool uses the other one"
        case .programHangs: "tools that need it hang, too, and were not checked"
        case .plainTextGit: "anyone who reads the file, or a backup of it, has the logins"
        case .plainTextDocker: "anyone who reads the file, or a backup of it, has the logins"
        case .plainTextTool: "anyone who reads the file, or a backup of it, has the logins"
        case .plainTextNetrc:
            "anyone who reads the file has the logins, and git uses them before any helper"
        case .plainTextURL:
            "git's configuration contains a password in a URL, which it uses before any helper"
        case .plainTextHeader:
            "git's configuration contains a login, which git sends before any other"
        case .loginInOtherGroup: "the tool finds only logins of its own group, and asks again"
        case .certificateExpired: "servers refuse an expired certificate"
        case .certificateExpires: "servers will refuse the certificate once it has expired"
        case .trialLoginLeft: "a setup was interrupted before it removed it; nothing uses it"
        case .clockWrong: "a wrong clock makes logins look expired, or never expire"
        case .itemsFromTheFuture: "the clock was ahead once, or is behind now"
        case .checkFailed: "the check did not finish, so its result is unknown"
        }
    }
}
