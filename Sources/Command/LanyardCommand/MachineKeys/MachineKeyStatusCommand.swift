internal import ArgumentParser
internal import Keychains
internal import KeychainServices
internal import LanyardPrompting
internal import SealedStore
internal import StrictJSON

/// `lanyard machine-key status`.
struct MachineKeyStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show how the machine key is stored.",
        discussion: "The status is 0 even if the key can't be read."
    ).examples(
        "lanyard machine-key status",
        "lanyard machine-key status --json")

    @OptionGroup var json: JSONFlag

    func run() throws {
        let keychains = try MachineKeychains()
        let storage = try keychains.place.storage()
        let unprotected = try keychains.openingWithKeyOnly()
        if json.isOn {
            try writeAnswer(answer(keychains, storage, unprotected))
        } else {
            try screen(keychains, storage, unprotected).show()
        }
    }

    private func screen(
        _ keychains: MachineKeychains, _ storage: MachineKeyPlace.Storage?,
        _ unprotected: [OpenedKeychain]
    ) throws(KeychainError) -> Screen {
        var screen = Screen()
        guard let storage else {
            screen.add(
                "key",
                try keychains.all().isEmpty
                    ? "not created yet: the first keychain creates it"
                    : "missing: restore it from a backup of its folder")
            return screen
        }
        screen.add("key", storage.text)
        screen.add("folder", storage.folder)
        // A damaged key opens nothing.
        if storage.problem == nil || storage.sealedTo != nil {
            screen.add("theft", try keychains.thefts(storage))
        }
        if let problem = storage.problem {
            screen.add(.error, [problem.reason] + [problem.hint].compactMap(\.self))
        } else if storage.sealedTo == nil, !storage.isMoved {
            screen.add(
                .note,
                keychains.place.canSeal
                    ? "systemd can seal it here: lanyard machine-key seal"
                    : "systemd can't seal it here: a passphrase or another folder protects it")
        }
        for keychain in unprotected {
            let name = keychain.name
            // Of a key that can't be read nothing is known.
            let isUnknown = storage.isMissing || storage.problem != nil
            let isOurs = isUnknown ? true : try keychain.store.isBoundToMachine()
            screen.add(
                .warning,
                "only \(isOurs ? "this" : "another") key opens the keychain '\(name)'",
                isOurs
                    ? "fix: lanyard recovery-key create --keychain \(name)"
                    : "restore that key from a backup; or forget it: lanyard keychain delete \(name)"
            )
        }
        for name in try keychains.withIncompleteRecoveryKey().map(\.name) {
            screen.add(
                .warning, MachineKeychains.incomplete(name),
                "fix: lanyard recovery-key create --replace --keychain \(name)")
        }
        return screen
    }

    private func kind(of storage: MachineKeyPlace.Storage?) -> String {
        guard let storage, !storage.isMissing else {
            return "missing"
        }
        guard storage.sealedTo == nil else {
            return "sealed"
        }
        return storage.problem == nil ? "plain" : "damaged"
    }

    private func answer(
        _ keychains: MachineKeychains, _ storage: MachineKeyPlace.Storage?,
        _ unprotected: [OpenedKeychain]
    ) throws(KeychainError) -> Secret {
        try JSONWriter.writeObject(invalidText: .replace) { writer throws(KeychainError) in
            try writer.member("kind", kind(of: storage))
            try writer.member("sealed_to", storage?.sealedTo?.rawValue)
            try writer.member("folder", storage?.folder)
            try writer.member("moved", storage?.isMoved)
            try writer.member("id", storage?.id.map { Hexadecimal.encode($0) })
            try writer.member("readable", storage.map { $0.problem == nil })
            try writer.member("problem", storage?.problem?.reason)
            try writer.member("can_seal", keychains.place.canSeal)
            try writer.member("without_recovery_key", unprotected.map(\.name))
        }
    }
}
