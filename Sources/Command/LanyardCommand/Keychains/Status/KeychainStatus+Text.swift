internal import LanyardConfiguration
internal import KeychainPlugin
internal import KeychainServices

extension KeychainStatus {
    /// Adds the status for users to a screen: its state first, its protection last.
    ///
    /// - Parameter isWhole: Includes the protection of a keychain that is not in use.
    func add(to screen: inout Screen, isWhole: Bool) {
        screen.add("keychain", "\(name) (\(kindText))")
        switch details {
        case .sealed(let status):
            screen.add("state", status.stateText)
            screen.add("in use", use.text)
            status.addContents(to: &screen)
            if isWhole || use.isInUse {
                status.addProtection(to: &screen)
            }
        case .plugin(let status):
            screen.add("state", status.isLocked ? lockedText(status.canPrompt) : "unlocked")
            screen.add("in use", use.text)
            screen.add("place", status.place)
            if !status.outlastsReboot {
                screen.add(.warning, "a restart deletes its items")
            }
        case .none:
            let fix = use.failure?.hint.map { KeychainStatus.isCommand($0) ? "fix: \($0)" : $0 }
            screen.add("in use", [use.text, fix].compactMap(\.self))
        }
    }

    /// Whether a hint can be pasted: a plugin's may be a sentence.
    private static func isCommand(_ hint: String) -> Bool {
        ["lanyard ", "sudo ", "chmod "].contains { hint.hasPrefix($0) }
    }

    private func lockedText(_ canPrompt: Bool) -> String {
        canPrompt
            ? "locked; to be asked on the desktop: lanyard unlock --keychain \(name)" : "locked"
    }

    private var kindText: String {
        switch kind {
        case .sealed: "sealed file"
        case .secretService: "Secret Service"
        case .plugin(let kind): "plugin \(kind)"
        }
    }
}
