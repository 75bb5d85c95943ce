internal import LanyardSecrets

// The team's keys that this device has. Some may be missing: see ``Roster/keys(of:)``.
extension SyncEngine {
    /// Takes the keys of a roster, and says who made one wrong.
    func setKeys(of roster: Roster, _ report: inout SyncReport) throws(KeychainError) {
        if rosterOfKeys != (roster.lastDigest, roster.lost.count) {
            let before = sharedKeys
            keys = try roster.keys(of: device)
            rosterOfKeys = (roster.lastDigest, roster.lost.count)
            let shared = Set(sharedKeys.map { $0.generation })
            // What others can't read any more is everywhere, and so is what this device could not read.
            if before.isEmpty || !before.allSatisfy({ shared.contains($0.generation) }) {
                seesOnlyPart = true
            }
        }
        guard let author = try roster.authorOfWrongKey(keys, of: device.id),
            let card = roster.devices[author]?.card
        else {
            return
        }
        if sharedKeys.isEmpty {
            report.findings.insert(.keyIsMissing(card))
        } else if roster.devices[author]?.role != nil {
            report.findings.insert(.keysAreHidden(card))
        }
    }

    /// The keys that all devices have.
    var sharedKeys: [TeamKey] { keys.filter { $0.reach == .all } }

    /// Whether this device has the key under which the team stores now.
    var hasPresentKey: Bool { keys.contains { $0.reach == .all } }

    /// Returns the key under which the team stores now.
    ///
    /// - Throws: ``Status/decode`` if this device got a wrong one.
    func presentKey() throws(KeychainError) -> TeamKey {
        guard let key = sharedKeys.last else {
            throw try withoutKey()
        }
        return key
    }

    /// Returns the newest key that counts of those that this device has.
    ///
    /// - Throws: ``Status/decode`` if there is none.
    func newestKey() throws(KeychainError) -> TeamKey {
        guard let key = keys.last(where: { $0.reach != .lost }) else {
            throw try withoutKey()
        }
        return key
    }

    /// Whether a record is under a key that this device lacks.
    func lacksKey(of record: ServerRecord) -> Bool {
        (1...replica.roster.generation).contains(record.generation)
            && !keys.contains { $0.generation == record.generation && $0.reach != .lost }
    }

    private func withoutKey() throws(KeychainError) -> KeychainError {
        let author = try replica.roster.authorOfWrongKey(keys, of: device.id)
        guard let card = author.flatMap({ replica.roster.devices[$0]?.card }) else {
            return KeychainError(.decode)
        }
        return KeychainError(
            .decode,
            "this device can't read what the team stores now: '\(card.name)' of \(card.person) gave it a wrong key",
            hint: "another owner removes that device: lanyard team remove \(card.path.shellQuoted)")
    }
}
