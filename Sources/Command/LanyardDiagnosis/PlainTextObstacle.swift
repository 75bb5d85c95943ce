internal import KeychainServices
internal import Keychains
internal import LanyardConfiguration
internal import LanyardTransfer
internal import SealedStore

/// What keeps an import from moving anything of a plain-text file: a user has to decide.
enum PlainTextObstacle {
    /// Returns why an import moves nothing of some entries, and what to do instead; nil if it moves something.
    ///
    /// - Parameters:
    ///   - command: The import that removes what it imports.
    ///   - differs: Whether the keychain has another secret for an item.
    static func advice(
        _ records: [ImportRecord], _ command: FindingText, differs: (NewItem) -> Bool
    ) -> FindingText? {
        var first: FindingText?
        var kept: Set<Range<Int>> = []
        for record in records {
            if case .shadowed(isSame: false) = record.content {
                kept.formUnion(record.ranges)
            }
        }
        for record in records {
            let advice: FindingText
            switch record.content {
            // The line that hides another one stays with it.
            case .item where !kept.isDisjoint(with: record.ranges): continue
            case .item(let item):
                guard differs(item) else {
                    return nil
                }
                let name = (item.attributes.service ?? item.attributes.server ?? "").description
                advice =
                    "the keychain has another secret for '\(name: name)': \(command) --replace"
                    + " stores that of the file; to keep the other one, take it out of the file"
            case .skipped(let reason, hasSecret: true):
                advice = left(record, reason, nil)
            case .failed(let error): advice = left(record, error.reason, error.hint)
            case .shadowed(isSame: false):
                advice =
                    "\(plain: record.place) is unused, since an earlier entry is for the same place:"
                    + " take it out of the file"
            case .skipped, .shadowed, .without: continue
            }
            first = first ?? advice
        }
        return first
    }

    private static func left(
        _ record: ImportRecord, _ reason: String, _ hint: String?
    ) -> FindingText {
        let hint = hint ?? "store it with lanyard set, then take it out of the file"
        return "\(plain: record.place) can't be imported: \(plain: reason); \(said: hint)"
    }

    /// Returns the entries of a file, none if it can't be read.
    static func records(
        _ file: borrowing Secret, _ format: any ImportFormat
    ) -> [ImportRecord] {
        var records: [ImportRecord] = []
        try? format.read(file) { records.append($0) }
        return records
    }
}

extension DiagnosisContext {
    /// Whether the used sealed keychains have another secret for an item. What asks, and is locked without a passphrase that
    /// programs are given, is not compared.
    func differs(_ item: NewItem) -> Bool {
        var attributes = item.attributes
        // Where the import stores it.
        attributes.accessGroup = attributes.accessGroup ?? "login"
        for state in keychainStates where state.keychain.isInUse && state.failure == nil {
            guard state.keychain.exists,
                let store = try? SealedStore(
                    at: state.keychain.location, provider: unlocker(of: state.keychain)),
                let there = try? Keychain(store, accessGroups: .all()).compared(
                    item.itemClass, attributes, item.secret, by: .login)
            else {
                continue
            }
            return !there.isSame
        }
        return false
    }

    /// Returns what unlocks a keychain with a passphrase that programs are given, as an import does; nil without one.
    private func unlocker(of keychain: SealedKeychain) -> KeychainUnlocker? {
        configuration.flatMap { configuration in
            let unlocker = KeychainUnlocker(
                name: keychain.name, configuration: configuration.withoutAsking, isSilent: true)
            return unlocker.hasGivenPassphrase ? unlocker : nil
        }
    }
}
