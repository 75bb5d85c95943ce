import KeychainServices
import Testing

@Suite struct ProtocolTypeTests {
    @Test func the31CodesInTheReferencesOrder() {
        let codes: [ByteString] = [
            "ftp ", "ftpa", "http", "irc ", "nntp", "pop3", "smtp", "sox ", "imap", "ldap", "atlk",
            "afp ", "teln", "ssh ", "ftps", "htps", "htpx", "htsx", "ftpx", "smb ", "rtsp", "rtsx",
            "daap", "eppc", "ipp ", "ntps", "ldps", "tels", "imps", "ircs", "pops",
        ]
        #expect(codes.count == 31)
        #expect(ProtocolType.all.map(\.rawValue) == codes)
        #expect(Set(ProtocolType.all).count == 31)
    }

    @Test func namesStandForTheirCodes() {
        let named: [(ProtocolType, ByteString)] = [
            (.ftp, "ftp "), (.ftpAccount, "ftpa"), (.http, "http"), (.irc, "irc "),
            (.nntp, "nntp"), (.pop3, "pop3"), (.smtp, "smtp"), (.socks, "sox "), (.imap, "imap"),
            (.ldap, "ldap"), (.appleTalk, "atlk"), (.afp, "afp "), (.telnet, "teln"),
            (.ssh, "ssh "), (.ftps, "ftps"), (.https, "htps"), (.httpProxy, "htpx"),
            (.httpsProxy, "htsx"), (.ftpProxy, "ftpx"), (.smb, "smb "), (.rtsp, "rtsp"),
            (.rtspProxy, "rtsx"), (.daap, "daap"), (.eppc, "eppc"), (.ipp, "ipp "),
            (.nntps, "ntps"), (.ldaps, "ldps"), (.telnets, "tels"), (.imaps, "imps"),
            (.ircs, "ircs"), (.pop3s, "pops"),
            (.cifs, "cifs"), (.cvsPserver, "cvsp"), (.svn, "svn "),
        ]
        #expect(named.count == 31 + 3)
        for (type, code) in named {
            #expect(type.rawValue == code)
            #expect(type.description == code.description)
        }
    }

    @Test func codesOfKnownSchemes() {
        #expect(ProtocolType(scheme: "https") == .https)
        #expect(ProtocolType(scheme: "http") == .http)
        #expect(ProtocolType(scheme: "ssh") == .ssh)
        #expect(ProtocolType(scheme: "socks") == .socks)
        #expect(ProtocolType(scheme: "svn") == .svn)
    }

    @Test func otherSchemesStandForThemselves() {
        #expect(ProtocolType(scheme: "cert").rawValue == "cert:")
        #expect(ProtocolType(scheme: "HTTPS").rawValue == "HTTPS:")
        #expect(ProtocolType(scheme: "").rawValue == ":")
    }

    /// Schemes that could be taken for one another: every code, every scheme, in other cases, cut,
    /// padded, with a colon.
    private static let schemes: [ByteString] = {
        let names =
            ProtocolType.all.map(\.rawValue) + ProtocolType.all.compactMap(\.scheme) + [
                "", "cert", "git", "cvs", "pserver", "x", "ht", ":", "::", "ssh+git", "caf\u{E9}",
            ]
        return Array(
            Set(
                names.flatMap { name in
                    [
                        name, ByteString(name.bytes + [0x3A]), ByteString(name.bytes + [0x20]),
                        ByteString(name.bytes.dropLast()), ByteString(name.bytes.map { $0 & 0xDF }),
                    ]
                }))
    }()

    @Test func schemesAndProtocolsAreOneToOne() {
        let types = ProtocolType.self
        #expect(Set(Self.schemes.map { types.init(scheme: $0) }).count == Self.schemes.count)
        for scheme in Self.schemes {
            #expect(ProtocolType(scheme: scheme).scheme == scheme)
        }
    }

    @Test func aSchemeLeadsBackToItsProtocol() {
        let types =
            ProtocolType.all + [.cifs, .cvsPserver, .svn]
            + Self.schemes.map { ProtocolType(rawValue: $0) }
        for type in types {
            if let scheme = type.scheme {
                #expect(ProtocolType(scheme: scheme) == type)
            }
        }
    }

    @Test func someCodesHaveNoScheme() {
        for type in [.ftpAccount, .httpProxy, .httpsProxy, .ftpProxy, .rtspProxy, .cvsPserver]
            as [ProtocolType]
        {
            #expect(type.scheme == nil)
        }
        #expect(ProtocolType(rawValue: "").scheme == nil)
        #expect(ProtocolType(rawValue: "what").scheme == nil)
    }
}
