internal import KeychainServices

/// The protocol of a server, as a four-character code. The C type is SecProtocolType.
public struct SecProtocolType: RawRepresentable, Hashable, Sendable {
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
    public static let any = SecProtocolType(rawValue: 0)
    /// An FTP server.
    public static let FTP = SecProtocolType("ftp ")
    /// A client-side FTP account.
    public static let ftpAccount = SecProtocolType("ftpa")
    /// A web server.
    public static let HTTP = SecProtocolType("http")
    /// A chat server.
    public static let IRC = SecProtocolType("irc ")
    /// A news server.
    public static let NNTP = SecProtocolType("nntp")
    /// A POP3 mailbox.
    public static let POP3 = SecProtocolType("pop3")
    /// A server that sends mail.
    public static let SMTP = SecProtocolType("smtp")
    /// A SOCKS proxy.
    public static let SOCKS = SecProtocolType("sox ")
    /// An IMAP mailbox.
    public static let IMAP = SecProtocolType("imap")
    /// A directory.
    public static let LDAP = SecProtocolType("ldap")
    /// AFP over AppleTalk.
    public static let appleTalk = SecProtocolType("atlk")
    /// AFP over TCP.
    public static let AFP = SecProtocolType("afp ")
    /// Telnet.
    public static let telnet = SecProtocolType("teln")
    /// Secure Shell.
    public static let SSH = SecProtocolType("ssh ")
    /// FTP over TLS.
    public static let FTPS = SecProtocolType("ftps")
    /// A web server over TLS.
    public static let HTTPS = SecProtocolType("htps")
    /// An HTTP proxy.
    public static let httpProxy = SecProtocolType("htpx")
    /// An HTTPS proxy.
    public static let httpsProxy = SecProtocolType("htsx")
    /// An FTP proxy.
    public static let ftpProxy = SecProtocolType("ftpx")
    /// CIFS.
    public static let CIFS = SecProtocolType("cifs")
    /// SMB.
    public static let SMB = SecProtocolType("smb ")
    /// RTSP.
    public static let RTSP = SecProtocolType("rtsp")
    /// An RTSP proxy.
    public static let rtspProxy = SecProtocolType("rtsx")
    /// DAAP.
    public static let DAAP = SecProtocolType("daap")
    /// Remote Apple events.
    public static let EPPC = SecProtocolType("eppc")
    /// A printer.
    public static let IPP = SecProtocolType("ipp ")
    /// A news server over TLS.
    public static let NNTPS = SecProtocolType("ntps")
    /// A directory over TLS.
    public static let LDAPS = SecProtocolType("ldps")
    /// Telnet over TLS.
    public static let telnetS = SecProtocolType("tels")
    /// An IMAP mailbox over TLS.
    public static let IMAPS = SecProtocolType("imps")
    /// A chat server over TLS.
    public static let IRCS = SecProtocolType("ircs")
    /// A POP3 mailbox over TLS.
    public static let POP3S = SecProtocolType("pops")
    /// A CVS server.
    public static let cvsPserver = SecProtocolType("cvsp")
    /// A Subversion server.
    public static let SVN = SecProtocolType("svn ")
}
