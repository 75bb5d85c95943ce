// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Keychain Services' keys and values for the classes of items, with its names. Tests/Support/check/check-constants compares
// them with its table.

public var kSecClass: CFString { "class" }
public var kSecClassGenericPassword: CFString { "genp" }
public var kSecClassInternetPassword: CFString { "inet" }
public var kSecClassAppleSharePassword: CFString { "apls" }
public var kSecClassCertificate: CFString { "cert" }
public var kSecClassKey: CFString { "keys" }
public var kSecClassIdentity: CFString { "idnt" }
