internal import CLibcrypto
internal import KeychainServices

/// The name of a certificate's subject or issuer. The corresponding C type is `X509_NAME`.
struct DistinguishedName {
    /// The name in DER: RFC 5280, section 4.1.2.4.
    let der: [UInt8]
    /// The name in DER, with texts as UTF-8 in capital letters and with single spaces, which makes names that RFC
    /// 5280, section 7.1, calls equal the same bytes.
    let normalized: [UInt8]
    /// The name as RFC 4514 writes it, the most specific part first.
    let description: String
    /// The texts, in the name's order.
    let values: [String]
    /// The texts that are e-mail addresses by their type.
    let emailTexts: [String]
    /// The last common name, nil without one.
    let commonName: String?
    /// The organization, otherwise its unit; nil without one.
    let organization: String?

    /// Reads a name that belongs to a certificate.
    init(_ name: OpaquePointer?) throws(KeychainError) {
        // Safe: the name belongs to the caller's certificate, and libcrypto only reads it.
        guard let name = unsafe name else {
            throw KeychainError(.decode, "a certificate lacks a name")
        }
        der = try unsafe Libcrypto.encoding { unsafe i2d_X509_NAME(name, $0) }
        description = unsafe DistinguishedName.describe(name)
        let parts = unsafe DistinguishedName.parts(name)
        normalized = try DistinguishedName.normalize(parts)
        values = parts.compactMap(\.text)
        emailTexts = parts.compactMap { $0.kind == NID_pkcs9_emailAddress ? $0.text : nil }
        func last(_ kind: Int32) -> String? {
            parts.last { $0.kind == kind && $0.text?.isEmpty == false }?.text
        }
        commonName = last(NID_commonName)
        organization = last(NID_organizationName) ?? last(NID_organizationalUnitName)
    }

    /// Reads a name in DER.
    ///
    /// - Throws: ``Status/decode`` for anything else.
    init(der: Span<UInt8>) throws(KeychainError) {
        Libcrypto.start()
        // Safe: libcrypto reads within the bytes, and makes a name of its own, which is freed here.
        let (name, isWhole) = unsafe der.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            let name = unsafe d2i_X509_NAME(nil, &position, bytes.count)
            let end = unsafe bytes.baseAddress.map { unsafe $0 + bytes.count }
            return unsafe (name, position == end)
        }
        defer { unsafe X509_NAME_free(name) }
        guard unsafe name != nil, isWhole else {
            throw Libcrypto.error(.decode, "not a name of a certificate")
        }
        try unsafe self.init(name)
    }

    private struct Part {
        /// The type's object identifier, DER.
        let identifier: [UInt8]
        /// libcrypto's number of the type, 0 for one that it doesn't know.
        let kind: Int32
        /// The value as text, nil if it is no text.
        let text: String?
        /// The tag and the bytes of the value.
        let tag: Int32
        let bytes: [UInt8]
        /// Parts with the same number belong together.
        let set: Int32
    }

    private static func parts(_ name: OpaquePointer) -> [Part] {
        var parts: [Part] = []
        var object: OpaquePointer?
        var value: UnsafePointer<ASN1_STRING>?
        var set: Int32 = 0
        var index: Int32 = 0
        // Safe: the name belongs to the caller's certificate, and so does what it consists of.
        while unsafe lanyard_name_entry(name, index, &object, &value, &set) == 1 {
            index += 1
            let type = unsafe object
            let identifier = try? unsafe Libcrypto.encoding { unsafe i2d_ASN1_OBJECT(type, $0) }
            parts.append(
                Part(
                    identifier: identifier ?? [], kind: unsafe OBJ_obj2nid(type),
                    text: unsafe Libcrypto.text(value), tag: unsafe ASN1_STRING_type(value),
                    bytes: unsafe Libcrypto.bytes(value), set: set))
        }
        return parts
    }

    private static func describe(_ name: OpaquePointer) -> String {
        // Safe: the buffer is freed here, and its bytes are copied before.
        let buffer = unsafe BIO_new(BIO_s_mem())
        defer { unsafe BIO_free(buffer) }
        guard unsafe lanyard_print_name(buffer, name) >= 0 else {
            ERR_clear_error()
            return ""
        }
        var start: UnsafeMutableRawPointer?
        let count = unsafe BIO_ctrl(buffer, BIO_CTRL_INFO, 0, &start)
        guard count > 0, let start = unsafe start else {
            return ""
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
        return unsafe String(decoding: bytes, as: UTF8.self).withoutControlCharacters
    }

    private static func normalize(_ parts: [Part]) throws(KeychainError) -> [UInt8] {
        var sets: [(number: Int32, pairs: [[UInt8]])] = []
        for part in parts {
            let value: [UInt8]
            if let text = part.text {
                value = DER.element(.utf8String, Array(text.normalized.utf8))
            } else {
                value = DER.element(UInt8(truncatingIfNeeded: part.tag), part.bytes)
            }
            let pair = DER.element(.sequence, part.identifier + value)
            if let last = sets.last, last.number == part.set {
                sets[sets.count - 1].pairs.append(pair)
            } else {
                sets.append((part.set, [pair]))
            }
        }
        let encoded = sets.flatMap { set in
            // DER orders the elements of a set by their bytes.
            DER.element(
                .set, set.pairs.sorted { $0.lexicographicallyPrecedes($1) }.flatMap(\.self))
        }
        return DER.element(.sequence, encoded)
    }
}

/// Writes elements of DER that are no secrets.
private enum DER {
    enum Tag: UInt8 {
        case utf8String = 0x0C
        case sequence = 0x30
        case set = 0x31
    }

    static func element(_ tag: Tag, _ content: [UInt8]) -> [UInt8] {
        element(tag.rawValue, content)
    }

    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else {
            return [tag, UInt8(content.count)] + content
        }
        let count = content.count.bigEndianBytes.drop { $0 == 0 }
        return [tag, 0x80 | UInt8(count.count)] + count + content
    }
}

extension String {
    /// The text in ASCII's capital letters, without spaces at its ends and with single ones between its words.
    fileprivate var normalized: String {
        let words = utf8.split(separator: UInt8(ascii: " "))
        let bytes = words.joined(separator: [UInt8(ascii: " ")]).map {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 - 0x20 : $0
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
