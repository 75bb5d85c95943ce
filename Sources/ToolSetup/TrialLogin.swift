package import KeychainServices
internal import LinuxSystem

/// A login that nobody has, by which a tool's path to its logins is tried. Its host can't exist: the
/// top-level domain is reserved for that (RFC 2606). Nothing in it is a secret.
package struct TrialLogin: Sendable {
    /// The host, for example `lanyard-test-0123456789abcdef.invalid`.
    package let host: String
    /// The username.
    let username = TrialLogin.username
    /// What stands for a password.
    let password: String

    static let username = "lanyard-test"
    static let hostParts = (start: "lanyard-test-", end: ".invalid")

    /// Another one each time.
    package init() throws(KeychainError) {
        let (start, end) = TrialLogin.hostParts
        host = "\(start)\(Hexadecimal.encode(try RandomBytes.make(8)))\(end)"
        password = Hexadecimal.encode(try RandomBytes.make(16))
    }
}
