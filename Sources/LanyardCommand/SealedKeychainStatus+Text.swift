internal import HelperKit
internal import Keychain
internal import SealedStore

extension SealedKeychainStatus {
    /// What a person is told of the keychain itself, in lines.
    var lines: [String] {
        var lines = ["file: \(path)"]
        if let items, state != .absent {
            lines.append("items: \(items)")
        }
        lines.append("state: \(stateText)")
        return lines
    }

    /// What a command needs to mean this keychain.
    private var option: String {
        name == Configuration.login ? "" : " --keychain \(name)"
    }

    private var stateText: String {
        switch state {
        case .absent: "not there yet; it is made when the first login is stored"
        case .noPassphrase: "no passphrase, always unlocked"
        case .locked: "locked; lanyard unlock\(option) unlocks it"
        case .unlocked(nil): "unlocked until lanyard lock or a restart"
        case .unlocked(let seconds?): "unlocked; locks in \(SealedKeychainStatus.duration(seconds))"
        }
    }

    /// What a person is told of what it protects against, in lines.
    var protection: [String] {
        guard state != .absent else {
            return []
        }
        var lines: [String]
        if state == .noPassphrase {
            lines = [
                "protects against: a leaked copy of the folder '\(dataFolder)' alone",
                "does not protect against: somebody who has the folder '\(stateFolder)' too, as in "
                    + "a backup of the whole home or disk; a process of your user",
            ]
        } else {
            lines = [
                "protects against: somebody who has your files, as from a backup or a stolen disk, "
                    + "and can't guess the passphrase",
                "does not protect against: a process of your user while it is unlocked",
            ]
        }
        if !hasRecoveryKey {
            lines.append(
                state == .noPassphrase
                    ? "if the folder '\(stateFolder)' is lost, so are all secrets: "
                        + "lanyard recovery-key create\(option) makes a key for that day"
                    : "if the passphrase is forgotten, all secrets are lost: "
                        + "lanyard recovery-key create\(option) makes a key for that day")
        }
        return lines
    }

    /// Seconds for a person: the two largest units.
    static func duration(_ seconds: Int) -> String {
        let units = [(86400, "d"), (3600, "h"), (60, "min"), (1, "s")]
        var rest = seconds
        var parts: [String] = []
        for (size, name) in units where rest >= size && parts.count < 2 {
            parts.append("\(rest / size) \(name)")
            rest %= size
        }
        return parts.isEmpty ? "0 s" : parts.joined(separator: " ")
    }
}
