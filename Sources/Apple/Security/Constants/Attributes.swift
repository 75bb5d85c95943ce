// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Keychain Services' keys and values for the attributes of items, with its names. Tests/Support/check/check-constants compares
// them with its table.

public var kSecAttrAccess: CFString { "acls" }
public var kSecAttrAccessControl: CFString { "accc" }
public var kSecAttrAccessGroup: CFString { "agrp" }
public var kSecAttrAccessGroupToken: CFString { "com.apple.token" }
public var kSecAttrAccessible: CFString { "pdmn" }
public var kSecAttrAccount: CFString { "acct" }
public var kSecAttrAlias: CFString { "alis" }
public var kSecAttrAuthenticationType: CFString { "atyp" }
public var kSecAttrComment: CFString { "icmt" }
public var kSecAttrCreationDate: CFString { "cdat" }
public var kSecAttrCreator: CFString { "crtr" }
public var kSecAttrDescription: CFString { "desc" }
public var kSecAttrGeneric: CFString { "gena" }
public var kSecAttrIsInvisible: CFString { "invi" }
public var kSecAttrIsNegative: CFString { "nega" }
public var kSecAttrLabel: CFString { "labl" }
public var kSecAttrModificationDate: CFString { "mdat" }
public var kSecAttrNoLegacy: CFString { "nleg" }
public var kSecAttrPath: CFString { "path" }
public var kSecAttrPersistantReference: CFString { "persistref" }
public var kSecAttrPersistentReference: CFString { "persistref" }
public var kSecAttrPort: CFString { "port" }
public var kSecAttrProtocol: CFString { "ptcl" }
public var kSecAttrSecurityDomain: CFString { "sdmn" }
public var kSecAttrServer: CFString { "srvr" }
public var kSecAttrService: CFString { "svce" }
public var kSecAttrSynchronizable: CFString { "sync" }
public var kSecAttrSynchronizableAny: CFString { "syna" }
public var kSecAttrSyncViewHint: CFString { "vwht" }
public var kSecAttrType: CFString { "type" }
