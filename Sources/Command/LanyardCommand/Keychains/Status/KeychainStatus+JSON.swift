internal import LanyardConfiguration
internal import KeychainServices
internal import KeychainPlugin
internal import SealedStore
internal import StrictJSON

extension JSONWriter {
    /// Writes a keychain's status as an object's members. Part of the stable output: see lanyard-status(1), "JSON".
    mutating func members(of status: KeychainStatus) throws(KeychainError) {
        try member("name", ByteString(status.name))
        try member("kind", ByteString(status.kind.name))
        switch status.details {
        case .sealed(let sealed): try members(sealed)
        case .plugin(let plugin):
            try members(
                place: plugin.place, state: plugin.isLocked ? "locked" : "unlocked",
                outlastsReboot: plugin.outlastsReboot)
        case .none: try members(place: nil, state: "unusable", outlastsReboot: nil)
        }
        try member("in_use", status.use.isInUse)
        try member("position", status.use.position)
        try member("default", status.use.isDefault)
        try member("reason", status.use.failure?.reason)
    }

    private mutating func members(_ status: SealedKeychainStatus) throws(KeychainError) {
        let state: String
        var locksIn: Int?
        switch status.state {
        case nil: state = "absent"
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
        try member("items", status.state == nil ? 0 : status.tally?.items)
        try member("recovery_key", status.hasRecoveryKey)
        try member("outlasts_reboot", true)
        try members(status.tally, isAbsent: status.state == nil)
        let isPortable = status.state == .noPassphrase ? nil : status.tally?.isPortable
        try member("portable", isPortable)
        try member("security_keys") { writer throws(KeychainError) in
            try writer.write(status.securityKeys)
        }
    }

    private mutating func members(
        _ tally: ItemTally?, isAbsent: Bool
    ) throws(KeychainError) {
        try member("groups", tally?.groups ?? (isAbsent ? [] : nil)) {
            writer, groups throws(KeychainError) in
            try writer.writeObjects(of: groups) { writer, group throws(KeychainError) in
                try writer.member("group", group.name)
                try writer.member("items", group.items)
            }
        }
        let none = isAbsent ? 0 : nil
        try member(
            "items_always_readable", tally?.items(.always, .alwaysThisDeviceOnly) ?? none)
        try member(
            "items_after_first_unlock",
            tally?.items(.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly) ?? none)
        try member("items_this_device_only", tally?.itemsOfThisDevice ?? none)
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
        try members(nil, isAbsent: false)
        try member("portable", nil as Bool?)
        try member("security_keys") { writer throws(KeychainError) in try writer.writeNull() }
    }
}
