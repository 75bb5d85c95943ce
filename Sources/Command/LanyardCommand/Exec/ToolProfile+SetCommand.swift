internal import ToolCatalog

extension ToolProfile {
    /// Where its secret comes from, in a sentence: an address, or a command in quotes.
    var origin: String? {
        signIn.map { $0.hasPrefix("https://") ? $0 : "'\($0)'" }
    }

    /// What the program calls its secret, where that is one variable: a vendor may have secrets of several kinds.
    var nameOfSecret: String {
        let names = variables.filter { $0.value == .secret }.map(\.name)
        return names.count == 1 && files.isEmpty ? names[0] : "the secret"
    }

    /// Returns the command that stores its secret, with an account if the program needs one.
    func setCommand(account: String? = nil) -> String {
        SecretLookup.setCommand(name, account ?? (needsAccount ? accountWord : nil))
    }
}
