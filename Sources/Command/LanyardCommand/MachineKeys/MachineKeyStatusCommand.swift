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
        let unprotected = try keychains.openingWithKeyOnly().map(\.name)
        if json.isOn {
            try writeAnswer(answer(keychains, storage, unprotected))
        } else {
            try screen(keychains, storage, unprotected).show()
        }
    }

    private func screen(
        _ keychains: MachineKeychains, _ storage: MachineKeyPlace.Storage?, _ unprotected: [String]
    ) throws(KeychainError) -> Screen {
        var screen = Screen()
        guard let storage else {
            screen.add("key", "not created yet: the first keychain creates it")
            return screen
        }
        screen.add("key", storage.text)
        screen.add("folder", storage.folder)
        screen.add("theft", try keychains.theft(storage))
        if let problem = storage.problem {
            screen.add(.error, [problem.reason] + [problem.hint].compactMap(\.self))
        } else if storage.sealedTo == nil, !storage.isMoved {
            screen.add(
                .note,
                keychains.place.canSeal
                    ? "systemd can seal it here: lanyard machine-key seal"
                    : "systemd can't seal it here: a passphrase or another folder protects it")
        }
        for name in unprotected {
            screen.add(
                .warning, "only this key opens the keychain '\(name)'",
                "fix: lanyard recovery-key create --keychain \(name)")
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
        return storage.sealedTo == nil ? "plain" : "sealed"
    }

    private func answer(
        _ keychains: MachineKeychains, _ storage: MachineKeyPlace.Storage?, _ unprotected: [String]
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
            try writer.member("without_recovery_key", unprotected)
        }
    }
}
