/// How a server checks a login.
///
/// The corresponding key is kSecAttrAuthenticationType, the C type SecAuthenticationType.
public struct AuthenticationType: RawRepresentable, Hashable, Sendable {
    /// The four-character code.
    public let rawValue: FourCharacterCode

    /// The type with this code.
    public init(rawValue: FourCharacterCode) {
        self.rawValue = rawValue
    }

    /// Whatever is usual for the protocol: kSecAttrAuthenticationTypeDefault.
    public static let `default` = AuthenticationType(rawValue: "dflt")
    /// Basic authentication of HTTP: kSecAttrAuthenticationTypeHTTPBasic.
    public static let httpBasic = AuthenticationType(rawValue: "http")
    /// Digest authentication of HTTP: kSecAttrAuthenticationTypeHTTPDigest.
    public static let httpDigest = AuthenticationType(rawValue: "httd")
    /// A form in a web page: kSecAttrAuthenticationTypeHTMLForm.
    public static let htmlForm = AuthenticationType(rawValue: "form")
    /// Windows NT LAN Manager: kSecAttrAuthenticationTypeNTLM.
    public static let ntlm = AuthenticationType(rawValue: "ntlm")
    /// Microsoft Network's default: kSecAttrAuthenticationTypeMSN.
    public static let msn = AuthenticationType(rawValue: "msna")
    /// Distributed Password Authentication: kSecAttrAuthenticationTypeDPA.
    public static let dpa = AuthenticationType(rawValue: "dpaa")
    /// Remote Password Authentication: kSecAttrAuthenticationTypeRPA.
    public static let rpa = AuthenticationType(rawValue: "rpaa")

    /// The types that Keychain Services names.
    public static let all: [AuthenticationType] = [
        .default, .httpBasic, .httpDigest, .htmlForm, .ntlm, .msn, .dpa, .rpa,
    ]
}
