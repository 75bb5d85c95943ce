package import Keychain
internal import LinuxSystem

/// A login that nobody has, by which a tool's path to its logins is tried. Its host can't exist: the
/// top-level domain is reserved for that (RFC 2606). Nothing in it is a secret.
package struct MadeUpLogin: Sendable {
    /// The host, for example `lanyard-test-0123456789abcdef.invalid`.
    package let host: String
    /// The username.
    let username = "lanyard-test"
    /// What stands for a password.
    let password: String

    /// Another one each time.
    package init() throws(KeychainError) {
        host = "lanyard-test-\(hexadecimal(try RandomBytes.make(8))).invalid"
        password = hexadecimal(try RandomBytes.make(16))
    }
}
