internal import KeychainServices

/// Conditions for reading a secret: when, and who must be present. The C type is SecAccessControlRef.
public final class SecAccessControl: NSObject, Sendable {
    let control: AccessControl

    init(_ control: AccessControl) {
        self.control = control
    }

    /// Whether both are the same conditions.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? SecAccessControl)?.control == control
    }

    /// A number that equal access controls share.
    public override var hash: Int { control.hashValue }
}

/// Conditions beyond the accessibility. The C type is SecAccessControlCreateFlags.
///
/// The passphrase shows that the user is present. Fingers, faces and devices can't be checked: SecItemAdd and
/// SecItemUpdate return errSecUnimplemented for them, unless another condition is enough.
public struct SecAccessControlCreateFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: CFOptionFlags

    /// Creates a set from its bits.
    public init(rawValue: CFOptionFlags) {
        self.rawValue = rawValue
    }

    /// The user is present, and enters the passphrase.
    public static let userPresence = SecAccessControlCreateFlags(rawValue: 1 << 0)
    /// Any enrolled finger or face.
    public static let biometryAny = SecAccessControlCreateFlags(rawValue: 1 << 1)
    /// The older name of ``biometryAny``.
    public static let touchIDAny = biometryAny
    /// A finger or face that is enrolled now.
    public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
    /// The older name of ``biometryCurrentSet``.
    public static let touchIDCurrentSet = biometryCurrentSet
    /// The passphrase.
    public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)
    /// A watch nearby.
    public static let watch = SecAccessControlCreateFlags(rawValue: 1 << 5)
    /// A companion device nearby.
    public static let companion = watch
    /// One condition is enough.
    public static let or = SecAccessControlCreateFlags(rawValue: 1 << 14)
    /// All conditions.
    public static let and = SecAccessControlCreateFlags(rawValue: 1 << 15)
    /// A private key may sign.
    public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)
    /// A password of the application, which an ``LAContext`` supplies.
    public static let applicationPassword = SecAccessControlCreateFlags(rawValue: 1 << 31)
}

/// Returns conditions for ``kSecAttrAccessControl``.
///
/// - Parameters:
///   - protection: An accessibility, such as ``kSecAttrAccessibleWhenUnlocked``.
///   - flags: The further conditions.
///   - error: Where to write why it failed, or nil.
/// - Returns: Nil if the protection is not an accessibility, or a flag is beyond 32 bits.
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    guard let code = protection as? String, let accessible = Accessibility(code: code),
        let bits = UInt32(exactly: flags.rawValue)
    else {
        let reason = NSError(domain: NSOSStatusErrorDomain, code: Int(errSecParam))
        // Safe: the caller's memory; the caller releases the error.
        unsafe error?.pointee = Unmanaged.passRetained(reason)
        return nil
    }
    let flags = AccessControl.Flags(rawValue: bits)
    return SecAccessControl(AccessControl(accessible: accessible, flags: flags))
}
