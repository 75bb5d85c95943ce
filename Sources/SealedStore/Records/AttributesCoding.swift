internal import KeychainServices

/// The stored form of an item's attributes: for each that is present, in ascending order of the
/// field's number, the number (1 byte), the value's length (4 bytes) and the value. Class and
/// accessibility stand outside, in columns of their own.
enum AttributesCoding {
    /// The fields' numbers; part of the file format.
    enum Field: UInt8 {
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
        case accessControlFlags = 13
        case service = 32
        case generic = 33
        case securityDomain = 48
        case server = 49
        case `protocol` = 50
        case authenticationType = 51
        case port = 52
        case path = 53
    }

    static func encode(_ attributes: ItemAttributes) -> [UInt8] {
        // At most what the texts have, and of each field a number, a length and up to 8 bytes if it is no text.
        [UInt8](room: attributes.textSizes.total + fieldCount * 13) { bytes in
            attributes.withValues { append($0, to: &bytes) }
        }
    }

    private static let fieldCount = 21

    private static func append(
        _ values: borrowing ItemAttributes.Values, to bytes: inout OutputSpan<UInt8>
    ) {
        func field(_ field: Field, _ text: ByteString?) {
            if let text {
                bytes.append(field.rawValue)
                bytes.append(bigEndian: UInt32(text.bytes.count))
                bytes.append(copying: text.bytes)
            }
        }
        func field<Number: FixedWidthInteger>(_ field: Field, _ number: Number?) {
            if let number {
                bytes.append(field.rawValue)
                bytes.append(bigEndian: UInt32(MemoryLayout<Number>.size))
                bytes.append(bigEndian: number)
            }
        }
        func flag(_ flag: Bool?) -> UInt8? {
            flag.map { $0 ? 1 : 0 }
        }
        field(.accessGroup, values.accessGroup)
        field(.account, values.account)
        field(.label, values.label)
        field(.itemDescription, values.itemDescription)
        field(.comment, values.comment)
        field(.creator, values.creator?.rawValue)
        field(.type, values.type?.rawValue)
        field(.isInvisible, flag(values.isInvisible))
        field(.isNegative, flag(values.isNegative))
        field(.synchronizable, flag(values.synchronizable))
        field(.creationDate, values.creationDate?.secondsSinceEpoch)
        field(.modificationDate, values.modificationDate?.secondsSinceEpoch)
        field(.accessControlFlags, values.accessControl?.flags.rawValue)
        field(.service, values.service)
        field(.generic, values.generic)
        field(.securityDomain, values.securityDomain)
        field(.server, values.server)
        field(.protocol, values.protocol?.rawValue)
        field(.authenticationType, values.authenticationType?.rawValue.rawValue)
        field(.port, values.port)
        field(.path, values.path)
    }

    /// - Throws: ``Status/decode`` for anything that ``encode(_:)`` does not write.
    static func decode(
        _ bytes: Span<UInt8>, accessible: Accessibility
    ) throws(KeychainError) -> ItemAttributes {
        try ItemAttributes { values throws(KeychainError) in
            values.accessible = accessible
            try set(bytes, in: &values)
        }
    }

    private static func set(
        _ bytes: Span<UInt8>, in values: inout ItemAttributes.Values
    ) throws(KeychainError) {
        var position = 0
        var last: UInt8 = 0
        while position < bytes.count {
            // The number and the length.
            let start = position + 5
            guard start <= bytes.count, bytes[position] > last,
                let field = Field(rawValue: bytes[position])
            else {
                throw KeychainError(.decode)
            }
            let count = Int(
                try number(bytes.extracting(position + 1..<start), UInt32.self))
            guard count <= bytes.count - start else {
                throw KeychainError(.decode)
            }
            last = field.rawValue
            position = start + count
            try set(field, bytes.extracting(start..<position), in: &values)
        }
    }

    private static func set(
        _ field: Field, _ value: Span<UInt8>, in values: inout ItemAttributes.Values
    ) throws(KeychainError) {
        switch field {
        case .accessGroup: values.accessGroup = ByteString(copying: value)
        case .account: values.account = ByteString(copying: value)
        case .label: values.label = ByteString(copying: value)
        case .itemDescription: values.itemDescription = ByteString(copying: value)
        case .comment: values.comment = ByteString(copying: value)
        case .creator: values.creator = try code(value)
        case .type: values.type = try code(value)
        case .isInvisible: values.isInvisible = try flag(value)
        case .isNegative: values.isNegative = try flag(value)
        case .synchronizable: values.synchronizable = try flag(value)
        case .creationDate: values.creationDate = try date(value)
        case .modificationDate: values.modificationDate = try date(value)
        case .accessControlFlags:
            values.accessControl = AccessControl(
                accessible: values.accessible ?? .whenUnlocked,
                flags: AccessControl.Flags(rawValue: try number(value)))
        case .service: values.service = ByteString(copying: value)
        case .generic: values.generic = ByteString(copying: value)
        case .securityDomain: values.securityDomain = ByteString(copying: value)
        case .server: values.server = ByteString(copying: value)
        case .protocol: values.protocol = ProtocolType(rawValue: ByteString(copying: value))
        case .authenticationType:
            values.authenticationType = AuthenticationType(rawValue: try code(value))
        case .port: values.port = try number(value)
        case .path: values.path = ByteString(copying: value)
        }
    }

    private static func number<Number: FixedWidthInteger>(
        _ value: Span<UInt8>, _: Number.Type = Number.self
    ) throws(KeychainError) -> Number {
        guard value.count == MemoryLayout<Number>.size else {
            throw KeychainError(.decode)
        }
        var number: Number = 0
        for index in value.indices {
            number = number << 8 | Number(truncatingIfNeeded: value[index])
        }
        return number
    }

    private static func date(_ value: Span<UInt8>) throws(KeychainError) -> Timestamp {
        Timestamp(secondsSinceEpoch: try number(value))
    }

    private static func flag(_ value: Span<UInt8>) throws(KeychainError) -> Bool {
        let number: UInt8 = try number(value)
        guard number <= 1 else {
            throw KeychainError(.decode)
        }
        return number == 1
    }

    private static func code(_ value: Span<UInt8>) throws(KeychainError) -> FourCharacterCode {
        guard let code = FourCharacterCode(ByteString(copying: value)) else {
            throw KeychainError(.decode)
        }
        return code
    }
}
