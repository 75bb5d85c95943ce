package import KeychainServices
internal import LinuxSystem

/// A fictitious login that tests a tool's path to its logins. Its host can't exist: the top-level domain is
/// reserved (RFC 2606). Nothing in it is secret.
package struct TrialLogin: Sendable {
    /// The host, for example `lanyard-test-0123456789abcdef.invalid`.
    package let host: String
    let username = TrialLogin.username
    /// Serves as a password.
    let password: String

    static let username = "lanyard-test"
    static let hostParts = (start: "lanyard-test-", end: ".invalid")

    /// Creates a different one each time.
    package init() throws(KeychainError) {
        let (start, end) = TrialLogin.hostParts
        host = "\(start)\(Hexadecimal.encode(try RandomBytes.make(8)))\(end)"
        password = Hexadecimal.encode(try RandomBytes.make(16))
    }
}
