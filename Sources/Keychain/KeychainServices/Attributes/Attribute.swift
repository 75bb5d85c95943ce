/// An attribute that an item can have; ``table`` describes each one.
///
/// The raw value is its number in a sealed record, and so part of the file format. No record has
/// number 0, because ``accessible`` has a column of its own.
package enum Attribute: UInt8, CaseIterable, Sendable {
    case accessible = 0
    case accessGroup = 1
    case account = 2
    case label = 3
    case itemDescription = 4
    case comment = 5
    case creator = 6
    case type = 7
    case isInvisible = 8
    case isNegative = 9
    case synchronizable = 10
    case creationDate = 11
    case modificationDate = 12
    case accessControl = 13
    case trustedApplications = 14
    case service = 32
    case generic = 33
    case securityDomain = 48
    case server = 49
    case `protocol` = 50
    case authenticationType = 51
    case port = 52
    case path = 53
    case certificateType = 64
    case certificateEncoding = 65
    case subject = 66
    case issuer = 67
    case serialNumber = 68
    case subjectKeyID = 69
    case publicKeyHash = 70
    case subjectValues = 71
    case emailAddresses = 72
    case notValidBefore = 73
    case notValidAfter = 74
    case keyClass = 80
    case applicationLabel = 81
    case applicationTag = 82
    case keyType = 83
    case keySizeInBits = 84
    case effectiveKeySize = 85
    case isPermanent = 86
    case canEncrypt = 87
    case canDecrypt = 88
    case canDerive = 89
    case canSign = 90
    case canVerify = 91
    case canWrap = 92
    case canUnwrap = 93
}

extension Attribute {
    /// Describes an attribute.
    package struct Row: Sendable {
        package let attribute: Attribute
        /// The property's name, which plugins use too.
        package let name: StaticString
        /// The name in `lanyard list --json`, nil if that leaves it out.
        package let jsonName: StaticString?
        /// The value of Keychain Services' constant: `acct` for kSecAttrAccount; nil without one.
        package let code: FourCharacterCode?
        package let form: Form
        package let classes: ItemClasses
        /// The value that an absent attribute counts as, nil if absence equals no value.
        package let absent: AttributeValue?

        fileprivate init(
            _ attribute: Attribute, _ name: StaticString, json: StaticString?,
            _ code: FourCharacterCode?, _ form: Form, _ classes: ItemClasses,
            absent: AttributeValue? = nil
        ) {
            self.attribute = attribute
            self.name = name
            jsonName = json
            self.code = code
            self.form = form
            self.classes = classes
            self.absent = absent
        }
    }

    /// The kind of values that an attribute has, and how they compare when letter case is ignored.
    package enum Form: Sendable {
        /// Text with Unicode letter case.
        case text
        /// A server's name: text with ASCII letter case.
        case server
        /// Bytes without letter case.
        case data
        /// A protocol's code or scheme, without letter case.
        case protocolType
        case code
        case flag
        /// A number of 32 bits.
        case number
        /// A number of 16 bits.
        case port
        case date
        case accessibility
        case accessControl
    }

    /// All attributes, in their order in JSON.
    package static let table: [Row] = [
        Row(.accessGroup, "accessGroup", json: "group", "agrp", .text, .every, absent: .text("")),
        Row(.account, "account", json: "account", "acct", .text, .passwords, absent: .text("")),
        Row(.service, "service", json: "service", "svce", .text, .generic, absent: .text("")),
        Row(
            .protocol, "protocol", json: "protocol", "ptcl", .protocolType, .internet,
            absent: .text("")),
        Row(.server, "server", json: "server", "srvr", .server, .internet, absent: .text("")),
        Row(.port, "port", json: "port", "port", .port, .internet, absent: .number(0)),
        Row(.path, "path", json: "path", "path", .text, .internet, absent: .text("")),
        Row(
            .securityDomain, "securityDomain", json: "securityDomain", "sdmn", .text, .internet,
            absent: .text("")),
        Row(
            .authenticationType, "authenticationType", json: "authenticationType", "atyp", .code,
            .internet, absent: .code(FourCharacterCode(rawValue: 0))),
        Row(.label, "label", json: "label", "labl", .text, .every),
        Row(.itemDescription, "itemDescription", json: "description", "desc", .text, .passwords),
        Row(.comment, "comment", json: "comment", "icmt", .text, .passwords),
        Row(.creator, "creator", json: "creator", "crtr", .code, [.passwords, .key]),
        Row(.type, "type", json: "type", "type", .code, .passwords),
        Row(.generic, "generic", json: "genericBase64", "gena", .data, .generic),
        Row(.accessible, "accessible", json: "accessible", "pdmn", .accessibility, .every),
        Row(
            .accessControl, "accessControl", json: "accessControl", "accc", .accessControl, .every),
        Row(
            .trustedApplications, "trustedApplications", json: nil, nil, .text, .every,
            absent: .text("")),
        Row(
            .isInvisible, "isInvisible", json: "invisible", "invi", .flag, .passwords,
            absent: .flag(false)),
        Row(
            .isNegative, "isNegative", json: "negative", "nega", .flag, .passwords,
            absent: .flag(false)),
        Row(
            .synchronizable, "synchronizable", json: "synchronizable", "sync", .flag, .every,
            absent: .flag(false)),
        Row(
            .certificateType, "certificateType", json: nil, "ctyp", .number, .certificate,
            absent: .number(0)),
        Row(.certificateEncoding, "certificateEncoding", json: nil, "cenc", .number, .certificate),
        Row(.subject, "subject", json: nil, "subj", .data, .certificate),
        Row(.issuer, "issuer", json: nil, "issr", .data, .certificate, absent: .text("")),
        Row(
            .serialNumber, "serialNumber", json: nil, "slnr", .data, .certificate,
            absent: .text("")),
        Row(.subjectKeyID, "subjectKeyID", json: nil, "skid", .data, .certificate),
        Row(.publicKeyHash, "publicKeyHash", json: nil, "pkhh", .data, .certificate),
        Row(.subjectValues, "subjectValues", json: nil, nil, .text, .certificate),
        Row(.emailAddresses, "emailAddresses", json: nil, nil, .text, .certificate),
        Row(.notValidBefore, "notValidBefore", json: "notValidBefore", nil, .date, .certificate),
        Row(.notValidAfter, "notValidAfter", json: "notValidAfter", nil, .date, .certificate),
        Row(.keyClass, "keyClass", json: "keyClass", "kcls", .number, .key, absent: .number(0)),
        Row(.keyType, "keyType", json: "keyType", "type", .number, .key, absent: .number(0)),
        Row(
            .keySizeInBits, "keySizeInBits", json: "keySizeInBits", "bsiz", .number, .key,
            absent: .number(0)),
        Row(
            .effectiveKeySize, "effectiveKeySize", json: nil, "esiz", .number, .key,
            absent: .number(0)),
        Row(
            .applicationLabel, "applicationLabel", json: "applicationLabelBase64", "klbl", .data,
            .key, absent: .text("")),
        Row(
            .applicationTag, "applicationTag", json: "applicationTagBase64", "atag", .data, .key,
            absent: .text("")),
        Row(.isPermanent, "isPermanent", json: nil, "perm", .flag, .key),
        Row(.canEncrypt, "canEncrypt", json: "canEncrypt", "encr", .flag, .key),
        Row(.canDecrypt, "canDecrypt", json: "canDecrypt", "decr", .flag, .key),
        Row(.canDerive, "canDerive", json: "canDerive", "drve", .flag, .key),
        Row(.canSign, "canSign", json: "canSign", "sign", .flag, .key),
        Row(.canVerify, "canVerify", json: "canVerify", "vrfy", .flag, .key),
        Row(.canWrap, "canWrap", json: "canWrap", "wrap", .flag, .key),
        Row(.canUnwrap, "canUnwrap", json: "canUnwrap", "unwp", .flag, .key),
        Row(.creationDate, "creationDate", json: "created", "cdat", .date, .every),
        Row(.modificationDate, "modificationDate", json: "changed", "mdat", .date, .every),
    ]

    /// The attribute's row in the table.
    package var row: Row { Attribute.table[place] }

    /// The form of its values.
    package var form: Form { Attribute.table[place].form }

    /// Whether an item remembers that its value was given as data. Keychain Services keep the type of these
    /// texts; access groups, trusted applications and what a certificate says are always text.
    package var canBeData: Bool {
        switch form {
        case .text:
            self != .accessGroup && self != .trustedApplications
                && row.classes != .certificate
        case .server: true
        default: false
        }
    }

    private var place: Int { Attribute.places[Int(rawValue)] }

    /// The place of each attribute's row in the table, by the attribute's number.
    private static let places: [Int] = {
        var places = [Int](repeating: 0, count: 1 + Int(allCases.map { $0.rawValue }.max() ?? 0))
        for (place, row) in table.enumerated() {
            places[Int(row.attribute.rawValue)] = place
        }
        return places
    }()

    /// Returns the attribute whose property has this name, nil if there is none.
    package init?(named name: ByteString) {
        for row in Attribute.table where name.bytes.span.equals(row.name) {
            self = row.attribute
            return
        }
        return nil
    }
}

/// A set of item classes.
package struct ItemClasses: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let generic = ItemClasses(rawValue: 1)
    package static let internet = ItemClasses(rawValue: 2)
    package static let passwords: ItemClasses = [.generic, .internet]
    package static let certificate = ItemClasses(rawValue: 4)
    package static let key = ItemClasses(rawValue: 8)
    package static let every: ItemClasses = [.passwords, .certificate, .key]

    package func contains(_ itemClass: ItemClass) -> Bool {
        itemClass.classes.map(isSuperset(of:)) ?? false
    }
}
