internal import Configuration
internal import Prompting
internal import KeychainServices
internal import KeychainPlugin

extension KeychainStatus {
    /// Returns the status for users, in lines.
    ///
    /// - Parameter isWhole: Includes the protection of a keychain that is not in use.
    func text(isWhole: Bool) -> String {
        var lines = ["keychain: \(name) (\(kindText))"]
        switch details {
        case .sealed(let status):
            lines += status.lines
            lines.append("in use: \(use.text)")
            if isWhole || use.isInUse {
                lines += status.itemLines
                lines.append("outlasts a restart: yes")
                lines += status.protection
            }
        case .plugin(let status):
            lines.append("place: \(status.place)")
            lines.append("state: \(status.isLocked ? lockedText(status.canPrompt) : "unlocked")")
            lines.append("in use: \(use.text)")
            lines.append("outlasts a restart: \(status.outlastsReboot ? "yes" : "no")")
        case .none:
            lines.append("in use: \(use.text)")
        }
        return lines.map { harmless($0) + "\n" }.joined()
    }

    private func lockedText(_ canPrompt: Bool) -> String {
        canPrompt
            ? "locked; lanyard unlock --keychain \(name) asks on the desktop" : "locked"
    }

    private var kindText: String {
        switch kind {
        case .sealed: "sealed file"
        case .secretService: "Secret Service"
        case .plugin(let kind): "plugin \(kind)"
        }
    }
}
