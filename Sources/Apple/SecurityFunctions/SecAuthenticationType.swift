internal import KeychainServices

/// How a server checks a login, as a four-character code. The C type is SecAuthenticationType.
public struct SecAuthenticationType: RawRepresentable, Hashable, Sendable {
    /// The four characters as a number, most significant first.
    public let rawValue: UInt32

    /// Creates the value with this code.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    private init(_ code: FourCharacterCode) {
        rawValue = code.rawValue
    }

    /// Any, in a search; none, in a new item.
    public static let any = SecAuthenticationType(rawValue: 0)
    /// Windows NT LAN Manager.
    public static let NTLM = SecAuthenticationType("ntlm")
    /// Microsoft Network's type.
    public static let MSN = SecAuthenticationType("msna")
    /// Distributed Password Authentication.
    public static let DPA = SecAuthenticationType("dpaa")
    /// Remote Password Authentication.
    public static let RPA = SecAuthenticationType("rpaa")
    /// HTTP Basic authentication.
    public static let httpBasic = SecAuthenticationType("http")
    /// HTTP Digest authentication.
    public static let httpDigest = SecAuthenticationType("httd")
    /// A form on a web page.
    public static let htmlForm = SecAuthenticationType("form")
    /// The protocol's usual type.
    public static let `default` = SecAuthenticationType("dflt")
}
