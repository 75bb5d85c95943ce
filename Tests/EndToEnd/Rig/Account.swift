import Foundation

/// A user whom a server lets in.
struct Account: Hashable, Sendable {
    let name: String
    let password: String

    /// As written in a URL.
    var nameInURL: String { Account.encoded(name) }
    /// As written in a URL.
    var passwordInURL: String { Account.encoded(password) }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let sign = Character(Unicode.Scalar(byte))
            let isPlain = byte < 0x80 && (sign.isLetter || sign.isNumber)
            return isPlain ? String(Unicode.Scalar(byte)) : String(format: "%%%02X", byte)
        }.joined()
    }
}
