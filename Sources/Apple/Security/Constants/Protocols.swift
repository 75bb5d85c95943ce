// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Keychain Services' keys and values for the protocols and authentication types of internet passwords, with its names. Tests/Support/check/check-constants compares
// them with its table.

public var kSecAttrProtocolAFP: CFString { "afp " }
public var kSecAttrProtocolAppleTalk: CFString { "atlk" }
public var kSecAttrProtocolDAAP: CFString { "daap" }
public var kSecAttrProtocolEPPC: CFString { "eppc" }
public var kSecAttrProtocolFTP: CFString { "ftp " }
public var kSecAttrProtocolFTPAccount: CFString { "ftpa" }
public var kSecAttrProtocolFTPProxy: CFString { "ftpx" }
public var kSecAttrProtocolFTPS: CFString { "ftps" }
public var kSecAttrProtocolHTTP: CFString { "http" }
public var kSecAttrProtocolHTTPProxy: CFString { "htpx" }
public var kSecAttrProtocolHTTPS: CFString { "htps" }
public var kSecAttrProtocolHTTPSProxy: CFString { "htsx" }
public var kSecAttrProtocolIMAP: CFString { "imap" }
public var kSecAttrProtocolIMAPS: CFString { "imps" }
public var kSecAttrProtocolIPP: CFString { "ipp " }
public var kSecAttrProtocolIRC: CFString { "irc " }
public var kSecAttrProtocolIRCS: CFString { "ircs" }
public var kSecAttrProtocolLDAP: CFString { "ldap" }
public var kSecAttrProtocolLDAPS: CFString { "ldps" }
public var kSecAttrProtocolNNTP: CFString { "nntp" }
public var kSecAttrProtocolNNTPS: CFString { "ntps" }
public var kSecAttrProtocolPOP3: CFString { "pop3" }
public var kSecAttrProtocolPOP3S: CFString { "pops" }
public var kSecAttrProtocolRTSP: CFString { "rtsp" }
public var kSecAttrProtocolRTSPProxy: CFString { "rtsx" }
public var kSecAttrProtocolSMB: CFString { "smb " }
public var kSecAttrProtocolSMTP: CFString { "smtp" }
public var kSecAttrProtocolSOCKS: CFString { "sox " }
public var kSecAttrProtocolSSH: CFString { "ssh " }
public var kSecAttrProtocolTelnet: CFString { "teln" }
public var kSecAttrProtocolTelnetS: CFString { "tels" }
public var kSecAttrAuthenticationTypeDPA: CFString { "dpaa" }
public var kSecAttrAuthenticationTypeDefault: CFString { "dflt" }
public var kSecAttrAuthenticationTypeHTMLForm: CFString { "form" }
public var kSecAttrAuthenticationTypeHTTPBasic: CFString { "http" }
public var kSecAttrAuthenticationTypeHTTPDigest: CFString { "httd" }
public var kSecAttrAuthenticationTypeMSN: CFString { "msna" }
public var kSecAttrAuthenticationTypeNTLM: CFString { "ntlm" }
public var kSecAttrAuthenticationTypeRPA: CFString { "rpaa" }
