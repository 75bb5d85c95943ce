/// The protocol of a server.
///
/// A protocol that Keychain Services knows is its four-character code. Any other is its URL scheme
/// followed by a colon, which tells the two apart. The corresponding key is kSecAttrProtocol, the C
/// type SecProtocolType.
public struct ProtocolType: RawRepresentable, Hashable, Sendable {
    /// A code of four characters, padded with spaces, or a scheme and a colon.
    public let rawValue: ByteString

    /// Creates the protocol with this code or scheme, unchanged.
    public init(rawValue: ByteString) {
        self.rawValue = rawValue
    }

    /// Creates the protocol of a URL's scheme, compared byte by byte. `https` becomes `htps`; a
    /// scheme without a code (`cert`, or `HTTPS` in capitals) becomes itself with a colon.
    public init(scheme: ByteString) {
        // The most frequent scheme needs no table.
        if scheme == ProtocolType.httpsScheme {
            self = .https
        } else if let code = ProtocolType.codesOfSchemes.first(where: { $0.scheme == scheme })?.code
        {
            self = code
        } else {
            rawValue = ByteString(scheme.bytes + [UInt8(ascii: ":")])
        }
    }

    private static let httpsScheme: ByteString = "https"

    /// The URL scheme from which ``init(scheme:)`` makes this protocol, nil if there is none.
    public var scheme: ByteString? {
        if rawValue.bytes.last == UInt8(ascii: ":") {
            let scheme = ByteString(Array(rawValue.bytes.dropLast()))
            return ProtocolType(scheme: scheme) == self ? scheme : nil
        }
        return ProtocolType.codesOfSchemes.first { $0.code == self }?.scheme
    }

    private init(code: FourCharacterCode) {
        rawValue = code.text
    }

    /// kSecAttrProtocolFTP
    public static let ftp = ProtocolType(code: "ftp ")
    /// A client-side FTP account: kSecAttrProtocolFTPAccount
    public static let ftpAccount = ProtocolType(code: "ftpa")
    /// kSecAttrProtocolHTTP
    public static let http = ProtocolType(code: "http")
    /// kSecAttrProtocolIRC
    public static let irc = ProtocolType(code: "irc ")
    /// kSecAttrProtocolNNTP
    public static let nntp = ProtocolType(code: "nntp")
    /// kSecAttrProtocolPOP3
    public static let pop3 = ProtocolType(code: "pop3")
    /// kSecAttrProtocolSMTP
    public static let smtp = ProtocolType(code: "smtp")
    /// kSecAttrProtocolSOCKS
    public static let socks = ProtocolType(code: "sox ")
    /// kSecAttrProtocolIMAP
    public static let imap = ProtocolType(code: "imap")
    /// kSecAttrProtocolLDAP
    public static let ldap = ProtocolType(code: "ldap")
    /// kSecAttrProtocolAppleTalk
    public static let appleTalk = ProtocolType(code: "atlk")
    /// kSecAttrProtocolAFP
    public static let afp = ProtocolType(code: "afp ")
    /// kSecAttrProtocolTelnet
    public static let telnet = ProtocolType(code: "teln")
    /// kSecAttrProtocolSSH
    public static let ssh = ProtocolType(code: "ssh ")
    /// kSecAttrProtocolFTPS
    public static let ftps = ProtocolType(code: "ftps")
    /// kSecAttrProtocolHTTPS
    public static let https = ProtocolType(code: "htps")
    /// kSecAttrProtocolHTTPProxy
    public static let httpProxy = ProtocolType(code: "htpx")
    /// kSecAttrProtocolHTTPSProxy
    public static let httpsProxy = ProtocolType(code: "htsx")
    /// kSecAttrProtocolFTPProxy
    public static let ftpProxy = ProtocolType(code: "ftpx")
    /// kSecAttrProtocolSMB
    public static let smb = ProtocolType(code: "smb ")
    /// kSecAttrProtocolRTSP
    public static let rtsp = ProtocolType(code: "rtsp")
    /// kSecAttrProtocolRTSPProxy
    public static let rtspProxy = ProtocolType(code: "rtsx")
    /// kSecAttrProtocolDAAP
    public static let daap = ProtocolType(code: "daap")
    /// kSecAttrProtocolEPPC
    public static let eppc = ProtocolType(code: "eppc")
    /// kSecAttrProtocolIPP
    public static let ipp = ProtocolType(code: "ipp ")
    /// kSecAttrProtocolNNTPS
    public static let nntps = ProtocolType(code: "ntps")
    /// kSecAttrProtocolLDAPS
    public static let ldaps = ProtocolType(code: "ldps")
    /// kSecAttrProtocolTelnetS
    public static let telnets = ProtocolType(code: "tels")
    /// kSecAttrProtocolIMAPS
    public static let imaps = ProtocolType(code: "imps")
    /// kSecAttrProtocolIRCS
    public static let ircs = ProtocolType(code: "ircs")
    /// kSecAttrProtocolPOP3S
    public static let pop3s = ProtocolType(code: "pops")
    /// kSecProtocolTypeCIFS, of older systems
    public static let cifs = ProtocolType(code: "cifs")
    /// kSecProtocolTypeCVSpserver, of older systems
    public static let cvsPserver = ProtocolType(code: "cvsp")
    /// kSecProtocolTypeSVN, of older systems
    public static let svn = ProtocolType(code: "svn ")

    /// The 31 protocols that Keychain Services names today.
    public static let all: [ProtocolType] = [
        .ftp, .ftpAccount, .http, .irc, .nntp, .pop3, .smtp, .socks, .imap, .ldap, .appleTalk,
        .afp, .telnet, .ssh, .ftps, .https, .httpProxy, .httpsProxy, .ftpProxy, .smb, .rtsp,
        .rtspProxy, .daap, .eppc, .ipp, .nntps, .ldaps, .telnets, .imaps, .ircs, .pop3s,
    ]

    /// Part of the file format: adding a scheme would hide what is already stored under it.
    private static let codesOfSchemes: [(scheme: ByteString, code: ProtocolType)] = [
        ("https", .https), ("http", .http), ("ssh", .ssh), ("ftp", .ftp), ("ftps", .ftps),
        ("smtp", .smtp), ("imap", .imap), ("imaps", .imaps), ("pop3", .pop3), ("pop3s", .pop3s),
        ("ldap", .ldap), ("ldaps", .ldaps), ("smb", .smb), ("afp", .afp), ("irc", .irc),
        ("ircs", .ircs), ("nntp", .nntp), ("nntps", .nntps), ("telnet", .telnet),
        ("telnets", .telnets), ("socks", .socks), ("rtsp", .rtsp), ("daap", .daap),
        ("eppc", .eppc), ("ipp", .ipp), ("cifs", .cifs), ("svn", .svn),
    ]
}

extension ProtocolType: CustomStringConvertible {
    /// The code or the scheme.
    public var description: String { rawValue.description }
}
