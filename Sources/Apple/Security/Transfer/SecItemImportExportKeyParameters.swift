/// What a file with keys needs. The C type is SecItemImportExportKeyParameters.
@unsafe  // Safe: refers to its creator's objects, and says so.
public struct SecItemImportExportKeyParameters {
    /// The version of this type, 0.
    public var version: UInt32
    /// How to treat a private key.
    public var flags: SecKeyImportExportFlags
    /// The passphrase, CFString or CFData; nil for none.
    public var passphrase: Unmanaged<CFTypeRef>?
    /// The title of a question; there is none here.
    public var alertTitle: Unmanaged<CFString>?
    /// The text of a question; there is none here.
    public var alertPrompt: Unmanaged<CFString>?
    /// A SecAccess; anything but nil is errSecUnimplemented.
    public var accessRef: Unmanaged<CFTypeRef>?
    /// What an imported key may be used for; ignored.
    public var keyUsage: Unmanaged<CFArray>?
    /// Attributes of an imported key; ignored.
    public var keyAttributes: Unmanaged<CFArray>?

    /// Creates parameters without a passphrase.
    public init() {
        // Safe: nothing is referred to.
        unsafe self.init(
            version: 0, flags: [], passphrase: nil, alertTitle: nil, alertPrompt: nil,
            accessRef: nil, keyUsage: nil, keyAttributes: nil)
    }

    /// Creates parameters.
    public init(
        version: UInt32, flags: SecKeyImportExportFlags, passphrase: Unmanaged<CFTypeRef>?,
        alertTitle: Unmanaged<CFString>?, alertPrompt: Unmanaged<CFString>?,
        accessRef: Unmanaged<CFTypeRef>?, keyUsage: Unmanaged<CFArray>?,
        keyAttributes: Unmanaged<CFArray>?
    ) {
        // Safe: the objects of a caller.
        unsafe self.version = version
        unsafe self.flags = flags
        unsafe self.passphrase = passphrase
        unsafe self.alertTitle = alertTitle
        unsafe self.alertPrompt = alertPrompt
        unsafe self.accessRef = accessRef
        unsafe self.keyUsage = keyUsage
        unsafe self.keyAttributes = keyAttributes
    }
}

/// The version of ``SecItemImportExportKeyParameters``.
public var SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION: Int32 { 0 }
