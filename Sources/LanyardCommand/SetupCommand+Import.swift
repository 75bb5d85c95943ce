internal import HelperKit
internal import Keychain
internal import ToolSetup

extension SetupCommand {
    /// Says how the logins in plain text come into the keychain.
    ///
    /// - Parameter isAgreed: Whether nobody is to be asked.
    func offerImport(_ files: [PlainTextLeftover], isAgreed: Bool) throws(KeychainError) {
        for file in files {
            try show(["    \(file.importCommand)"])
        }
    }
}
