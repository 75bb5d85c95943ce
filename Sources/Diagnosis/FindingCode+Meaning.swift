extension FindingCode {
    /// The meaning of such a finding: one line, lower case, no full stop.
    public var meaning: String {
        switch self {
        case .homeMissing: "without a home folder there is no place for the keychain"
        case .variablePointsNowhere: "a variable that lanyard follows leads to nothing"
        case .folderOpenToOthers: "Lanyard refuses folders that other users can reach"
        case .fileOpenToOthers: "Lanyard refuses files that other users can reach"
        case .wrongOwner: "what belongs to another user is refused"
        case .symbolicLink: "a link is refused, as it may lead to somebody else's file"
        case .placeReadOnly: "logins can be read, but new ones can't be kept, and git asks again"
        case .diskFull: "new logins can't be kept, and git asks again"
        case .networkFileSystem: "the keychain is as safe there as the locks of the server are"
        case .locksRefused: "without locks two programs at once would damage the keychain"
        case .configurationUnreadable: "no program knows which keychain to use"
        case .configurationMistake:
            "this setting has an invalid value"
        case .configurationUnknownSetting: "the setting has no effect, it may be misspelt"
        case .keychainMissing: "what should be looked in is not there"
        case .keychainLocked: "git and docker ask again, or fail, until it is unlocked"
        case .keychainBusy: "another program holds the keychain, and everybody else waits"
        case .keychainOlderCopy: "somebody put an earlier file in its place, so it is refused"
        case .keychainWrongFormat: "the file is not a keychain, or no longer one"
        case .keychainNewerFormat: "a newer version has written it, which this one can't read"
        case .keychainDamaged: "parts of it do not authenticate"
        case .keychainUnreadable: "the file can't be opened"
        case .machineKeyMissing: "without the key of this machine the keychain does not open"
        case .machineKeyDamaged: "without the key of this machine no keychain opens"
        case .machineKeyOther: "the keychain was sealed under another key than that of this machine"
        case .noRecoveryKey: "who loses the folder with the machine key loses all logins"
        case .keyringRefused: "unlocking lasts for one program only, so each asks again"
        case .keyringFull: "unlocking may last for one program only, so each asks again"
        case .pluginMissing: "the keychain of this kind can't be reached"
        case .secretServiceUnreachable: "the logins that are kept there are not found"
        case .secretServiceLocked: "its logins can't be read until it is unlocked on the desktop"
        case .storedElsewhere:
            "other programs don't find these logins, nor does another search list"
        case .gitNotSetUp: "git asks each time, or another helper answers"
        case .gitHelperReset:
            "an empty credential.helper makes git forget lanyard, and it asks again"
        case .gitOtherHelperFirst:
            "another helper answers before lanyard, perhaps with an old login"
        case .gitHelperForURL:
            "for these URLs git asks that helper, and lanyard only after it or not at all"
        case .gitPlainTextHelper: "git writes each login in plain text beside lanyard"
        case .gitHelperMissing: "git can't run this helper, and complains each time"
        case .gitHelperAnswersAnything: "a helper gives a login for a host that nobody has one for"
        case .gitHelperFails: "git gets no answer from lanyard, and asks again"
        case .gitUseHTTPPath: "git wants a login for each repository, and asks again for the next"
        case .gitGlobalHidden: "git does not read your configuration, and does not know lanyard"
        case .gitConfigurationUnreadable: "git itself fails"
        case .gitOld: "git keeps the state and the type of a login from 2.46 on only"
        case .gitLoginExpired: "git does not take an expired login, and asks again"
        case .gitSeveralAccounts:
            "git takes the login that was stored last, unless the URL names the account"
        case .askpassMissing: "git can't ask for a login that is not known yet"
        case .askpassScript: "a script that answers for you may hold a password in plain text"
        case .dockerNotSetUp: "docker keeps its logins in plain text"
        case .dockerOtherHelper: "docker keeps its logins elsewhere"
        case .dockerRegistryHelper: "the login for this registry is kept elsewhere"
        case .dockerHelperMissing: "docker finds no login there, and fails or asks again"
        case .dockerConfigurationUnreadable: "docker itself fails"
        case .dockerAuthVariable:
            "docker takes logins from the environment first, where they are plain text"
        case .containersNotSetUp: "podman, skopeo and buildah keep their logins in plain text"
        case .containersOtherHelper: "podman, skopeo and buildah do not ask lanyard alone"
        case .helperNotFound: "a tool can't run the helper that it is told to use, and asks again"
        case .helperNotInJobs:
            "cron, systemd and SSH start programs with a short PATH, and the tool asks again there"
        case .helperOtherVersion: "two versions are installed, and a tool uses the other one"
        case .plainTextGit: "whoever reads the file, or a backup of it, has the logins"
        case .plainTextDocker: "whoever reads the file, or a backup of it, has the logins"
        case .plainTextNetrc:
            "whoever reads the file has the logins, and git uses them before any helper"
        case .plainTextURL:
            "a password stands in a repository's configuration, and git uses it before any helper"
        case .plainTextHeader:
            "a login stands in git's configuration, and git sends it before any other"
        case .loginInOtherGroup: "the tool finds only logins of its own group, and asks again"
        case .trialLoginLeft: "a setup was killed before it could remove it; nobody uses it"
        case .clockWrong: "with a wrong clock logins seem to be expired or never to end"
        case .itemsFromTheFuture: "the clock was ahead once, or is behind now"
        case .checkFailed: "the check did not come to its end, so it says nothing"
        }
    }
}
