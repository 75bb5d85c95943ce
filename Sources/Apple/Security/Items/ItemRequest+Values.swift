internal import KeychainServices
internal import KeychainServicesFoundation

extension ItemRequest {
    /// Returns a truth value.
    ///
    /// - Throws: ``Status/param`` for anything else.
    static func flag(_ value: Any, _ key: String) throws(KeychainError) -> Bool {
        guard let number = value as? NSNumber else {
            throw KeychainError(.param, "the value of '\(key)' is not a truth value")
        }
        return number.boolValue
    }

    /// Returns a persistent reference.
    ///
    /// - Throws: ``Status/param`` for anything else.
    static func persistentReference(_ value: Any) throws(KeychainError) -> PersistentReference {
        guard let bytes = value as? Data, let reference = PersistentReference(Array(bytes)) else {
            throw KeychainError(.param, "kSecValuePersistentRef is not a reference")
        }
        return reference
    }

    /// Returns which items a query matches.
    static func synchronizable(
        _ value: Any, _ key: String
    ) throws(KeychainError) -> SynchronizableMatch {
        if value as? String == "syna" {
            return .any
        }
        return try flag(value, key) ? .synchronizable : .notSynchronizable
    }
}

extension ItemClass {
    /// Creates the class of a constant such as kSecClassKey.
    ///
    /// - Throws: ``Status/noSuchClass`` for anything else.
    init(constant: Any) throws(KeychainError) {
        guard let text = constant as? String, let code = FourCharacterCode(ByteString(text)),
            ItemClass.known.contains(ItemClass(rawValue: code))
        else {
            throw KeychainError(.noSuchClass)
        }
        self.init(rawValue: code)
    }

    /// Whether there are items of this class.
    var isKnownToLanyard: Bool { self != ItemClass(rawValue: "apls") }

    /// Whether items of this class are passwords, which may be empty.
    var isPassword: Bool { self == .genericPassword || self == .internetPassword }

    private static let known = [
        .genericPassword, .internetPassword, ItemClass(rawValue: "apls"), .certificate, .key,
        .identity,
    ]
}

extension MatchLimit {
    /// Creates the limit of a constant or a number.
    ///
    /// - Throws: ``Status/param`` for anything else.
    init(constant: Any) throws(KeychainError) {
        switch constant as? String {
        case "m_LimitOne": self = .one
        case "m_LimitAll": self = .all
        default:
            guard let number = constant as? NSNumber else {
                throw KeychainError(.param, "kSecMatchLimit has no such value")
            }
            // One is a single object, as by name.
            self = number.intValue == 1 ? .one : .atMost(number.intValue)
        }
    }
}

extension Attribute.Row {
    /// Finds the attribute of a constant, nil if there is none. Passwords have a type and keys another one, with
    /// the same constant.
    init?(constant: String, _ itemClass: ItemClass?) {
        guard let code = FourCharacterCode(ByteString(constant)) else {
            return nil
        }
        let rows = Attribute.table.lazy.filter { $0.code == code }
        // An identity has the attributes of both.
        let classes = itemClass == .identity ? [.certificate, .key] : itemClass.map { [$0] } ?? []
        let own = rows.first { row in classes.contains { row.classes.contains($0) } }
        // The wrong one is refused by its name.
        guard let row = own ?? rows.first else {
            return nil
        }
        self = row
    }
}

extension AttributeValue {
    /// Creates the value of an attribute from an object.
    ///
    /// - Throws: ``Status/param`` for an object of another type, or out of range.
    init(_ object: Any, _ row: Attribute.Row) throws(KeychainError) {
        var value = AttributeValue.value(object, row.form)
        if row.classes == .key, row.form == .data {
            // Programs name keys by texts, too.
            value = AttributeValue.text(object).map { .text($0) }
        }
        guard let value else {
            throw KeychainError(.param, "the attribute \(row.name) can't have this value")
        }
        self = value
    }

    private static func value(_ object: Any, _ form: Attribute.Form) -> AttributeValue? {
        switch form {
        case .text, .server: text(object).map { .text($0) }
        case .data: (object as? Data).map { .text(ByteString($0)) }
        case .protocolType: protocolType(object).map { .text($0) }
        case .code: code(object).map { .code($0) }
        case .flag: (object as? NSNumber).map { .flag($0.boolValue) }
        case .number: number(object).map { .number($0) }
        case .port:
            (object as? NSNumber).flatMap { UInt16(exactly: $0) }.map { .number(UInt32($0)) }
        case .date: (object as? Date).flatMap { Timestamp($0) }.map { .date($0) }
        case .accessibility:
            (object as? String).flatMap { Accessibility(code: $0) }.map { .accessibility($0) }
        case .accessControl: (object as? SecAccessControl).map { .accessControl($0.control) }
        }
    }

    /// A number, or the text of one, as the constants for keys are.
    private static func number(_ object: Any) -> UInt32? {
        if let text = object as? String {
            return UInt32(text)
        }
        return (object as? NSNumber).flatMap { UInt32(exactly: $0.int64Value) }
    }

    private static func text(_ object: Any) -> ByteString? {
        if let text = object as? String {
            return ByteString(text)
        }
        return (object as? Data).map { ByteString($0) }
    }

    /// A code of four characters, or the number of one; or a scheme with a colon.
    private static func protocolType(_ object: Any) -> ByteString? {
        if let text = (object as? String).map({ ByteString($0) }), text.bytes.count != 4 {
            return text.bytes.last == UInt8(ascii: ":") ? text : nil
        }
        return code(object)?.text
    }

    private static func code(_ object: Any) -> FourCharacterCode? {
        if let text = object as? String {
            return FourCharacterCode(ByteString(text))
        }
        return (object as? NSNumber).flatMap { UInt32(exactly: $0.int64Value) }
            .map { FourCharacterCode(rawValue: $0) }
    }

    /// The value as the object that a caller gets.
    ///
    /// - Parameters:
    ///   - form: The attribute's form.
    ///   - isData: Whether a text was data.
    func object(_ form: Attribute.Form, isData: Bool) -> Any {
        switch self {
        case .text(let text):
            if form != .data, !isData, let string = String(validating: text.bytes, as: UTF8.self) {
                return string
            }
            return Data(text)
        case .code(let code) where form == .code: return NSNumber(value: code.rawValue)
        case .code(let code): return code.description
        case .flag(let flag): return NSNumber(value: flag)
        case .number(let number): return NSNumber(value: number)
        case .date(let date): return Date(date)
        case .accessibility(let accessibility): return accessibility.code
        case .accessControl(let control): return SecAccessControl(control)
        }
    }
}
