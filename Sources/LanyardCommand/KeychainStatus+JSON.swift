internal import HelperKit
internal import Keychain
internal import KeychainPlugin
internal import StrictJSON

extension JSONWriter {
    /// Writes a keychain's status as an object. Part of the stable output: see lanyard(1), "JSON".
    mutating func write(_ status: KeychainStatus) throws(KeychainError) {
        try writeObject { writer throws(KeychainError) in
            try writer.member("name", ByteString(status.name))
            try writer.member("kind", ByteString(status.kind.name))
            switch status.details {
            case .sealed(let sealed): try writer.members(sealed)
            case .plugin(let plugin):
                try writer.members(
                    place: plugin.place, state: plugin.isLocked ? "locked" : "unlocked",
                    outlastsReboot: plugin.outlastsReboot)
            case .none: try writer.members(place: nil, state: "unusable", outlastsReboot: nil)
            }
            try writer.member("in_use", status.use.isInUse)
            try writer.member("position", status.use.position)
            try writer.member("default", status.use.isDefault)
            try writer.member("reason", status.use.failure?.reason)
        }
    }

    private mutating func members(_ status: SealedKeychainStatus) throws(KeychainError) {
        let state: String
        var locksIn: Int?
        switch status.state {
        case .absent: state = "absent"
        case .noPassphrase: state = "no-passphrase"
        case .locked: state = "locked"
        case .unlocked(let seconds):
            state = "unlocked"
            locksIn = seconds
        }
        try member("path", status.path)
        try member("place", status.path)
        try member("state", state)
        try member("locks_in", locksIn)
        try member("items", status.items)
        try member("recovery_key", status.hasRecoveryKey)
        try member("outlasts_reboot", true)
    }

    private mutating func members(
        place: String?, state: String, outlastsReboot: Bool?
    ) throws(KeychainError) {
        try member("path", nil as String?)
        try member("place", place)
        try member("state", state)
        try member("locks_in", nil as Int?)
        try member("items", nil as Int?)
        try member("recovery_key", nil as Bool?)
        try member("outlasts_reboot", outlastsReboot)
    }
}
