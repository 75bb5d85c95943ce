/// The result of a call, as a number. The corresponding type is OSStatus.
public struct Status: RawRepresentable, Hashable, Sendable {
    /// The number: 0 is success, all others are negative.
    public let rawValue: Int32

    /// Creates the status with this number.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// errSecSuccess
    public static let success = Status(rawValue: 0)
    /// The operation is not supported: errSecUnimplemented
    public static let unimplemented = Status(rawValue: -4)
    /// The disk or the quota is full: errSecDiskFull
    public static let diskFull = Status(rawValue: -34)
    /// Reading or writing failed: errSecIO
    public static let io = Status(rawValue: -36)
    /// The request is invalid: errSecParam
    public static let param = Status(rawValue: -50)
    /// The permissions forbid it, or give other users access: errSecWrPerm
    public static let writePermissions = Status(rawValue: -61)
    /// Memory ran out: errSecAllocate
    public static let allocate = Status(rawValue: -108)
    /// The user canceled: errSecUserCanceled
    public static let userCanceled = Status(rawValue: -128)
    /// The access group is not permitted: errSecMissingEntitlement
    public static let missingEntitlement = Status(rawValue: -34018)
    /// The keychain's kind is missing or unreachable: errSecNotAvailable
    public static let notAvailable = Status(rawValue: -25291)
    /// The keychain can't be written: errSecReadOnly
    public static let readOnly = Status(rawValue: -25292)
    /// The passphrase is wrong, or the keychain has none: errSecAuthFailed
    public static let authFailed = Status(rawValue: -25293)
    /// The keychain does not exist: errSecNoSuchKeychain
    public static let noSuchKeychain = Status(rawValue: -25294)
    /// The file is not a keychain: errSecInvalidKeychain
    public static let invalidKeychain = Status(rawValue: -25295)
    /// The keychain exists already: errSecDuplicateKeychain
    public static let duplicateKeychain = Status(rawValue: -25296)
    /// An item with this identity exists already: errSecDuplicateItem
    public static let duplicateItem = Status(rawValue: -25299)
    /// No item matches: errSecItemNotFound
    public static let itemNotFound = Status(rawValue: -25300)
    /// The secret or an attribute is too large: errSecDataTooLarge
    public static let dataTooLarge = Status(rawValue: -25302)
    /// The class does not have the attribute: errSecNoSuchAttr
    public static let noSuchAttribute = Status(rawValue: -25303)
    /// The class is unknown: errSecNoSuchClass
    public static let noSuchClass = Status(rawValue: -25306)
    /// The secret is locked, and no user can be asked: errSecInteractionNotAllowed
    public static let interactionNotAllowed = Status(rawValue: -25308)
    /// The keychain's format is newer than this program: errSecWrongSecVersion
    public static let wrongVersion = Status(rawValue: -25310)
    /// The stored data does not authenticate or decode: errSecDecode
    public static let decode = Status(rawValue: -26275)
    /// Another process keeps the keychain busy: errSecDatabaseLocked
    public static let databaseLocked = Status(rawValue: -67869)

    /// The meaning of the status for users: lower case, no full stop.
    public var meaning: String { ownMeaning ?? "failed with status \(rawValue)" }

    /// The meaning, nil for a number that is not one of these.
    package var ownMeaning: String? {
        switch self {
        case .success: "success"
        case .unimplemented: "not implemented"
        case .diskFull: "the disk is full"
        case .io: "reading or writing failed"
        case .param: "invalid request"
        case .writePermissions: "wrong permissions"
        case .allocate: "not enough memory"
        case .userCanceled: "cancelled"
        case .missingEntitlement: "no access to this group"
        case .notAvailable: "the keychain can't be reached"
        case .readOnly: "the keychain is read-only"
        case .authFailed: "wrong passphrase"
        case .noSuchKeychain: "keychain not found"
        case .invalidKeychain: "the file is not a keychain or is damaged"
        case .duplicateKeychain: "the keychain already exists"
        case .duplicateItem: "the item already exists"
        case .itemNotFound: "item not found"
        case .dataTooLarge: "too large"
        case .noSuchAttribute: "items of this class have no such attribute"
        case .noSuchClass: "unknown item class"
        case .interactionNotAllowed: "the keychain is locked, and lanyard can't prompt here"
        case .wrongVersion: "the keychain's format is newer than this program"
        case .decode: "an item is damaged or was tampered with"
        case .databaseLocked: "the keychain is busy"
        default: nil
        }
    }
}
