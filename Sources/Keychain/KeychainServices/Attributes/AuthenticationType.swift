/// How a server checks a login.
///
/// The corresponding key is kSecAttrAuthenticationType, the C type SecAuthenticationType.
public struct AuthenticationType: RawRepresentable, Hashable, Sendable {
    /// The four-character code.
    public let rawValue: FourCharacterCode

    /// Creates the type with this code.
    public init(rawValue: FourCharacterCode) {
        self.rawValue = rawValue
    }

    /// The protocol's usual type: kSecAttrAuthenticationTypeDefault.
    public static let `default` = AuthenticationType(rawValue: "dflt")
    /// HTTP Basic authentication: kSecAttrAuthenticationTypeHTTPBasic.
    public static let httpBasic = AuthenticationType(rawValue: "http")
    /// HTTP Digest authentication: kSecAttrAuthenticationTypeHTTPDigest.
    public static let httpDigest = AuthenticationType(rawValue: "httd")
    /// A form on a web page: kSecAttrAuthenticationTypeHTMLForm.
    public static let htmlForm = AuthenticationType(rawValue: "form")
    /// Windows NT LAN Manager: kSecAttrAuthenticationTypeNTLM.
    public static let ntlm = AuthenticationType(rawValue: "ntlm")
    /// Microsoft Network's default type: kSecAttrAuthenticationTypeMSN.
    public static let msn = AuthenticationType(rawValue: "msna")
    /// Distributed Password Authentication: kSecAttrAuthenticationTypeDPA.
    public static let dpa = AuthenticationType(rawValue: "dpaa")
    /// Remote Password Authentication: kSecAttrAuthenticationTypeRPA.
    public static let rpa = AuthenticationType(rawValue: "rpaa")

    /// All types that Keychain Services names.
    public static let all: [AuthenticationType] = [
        .default, .httpBasic, .httpDigest, .htmlForm, .ntlm, .msn, .dpa, .rpa,
    ]
}
