internal import CLibcrypto
internal import KeychainServices

/// The name of a certificate's subject or issuer. The corresponding C type is `X509_NAME`.
struct DistinguishedName {
    /// The name in DER: RFC 5280, section 4.1.2.4.
    let der: [UInt8]
    /// The name with the texts of ``Swift/String/normalizedForNames``, DER, which makes names that RFC 5280, section
    /// 7.1, calls equal the same bytes.
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
        let parts = try unsafe DistinguishedName.parts(name)
        normalized = DistinguishedName.normalize(parts)
        values = parts.compactMap(\.text?.withoutControlCharacters)
        emailTexts = parts.compactMap {
            $0.kind == NID_pkcs9_emailAddress ? $0.text?.withoutControlCharacters : nil
        }
        func last(_ kind: Int32) -> String? {
            parts.lazy.filter { $0.kind == kind }.compactMap(\.text?.withoutControlCharacters)
                .last { !$0.utf8.allSatisfy { $0 == UInt8(ascii: " ") } }
        }
        commonName = last(NID_commonName)
        organization = last(NID_organizationName) ?? last(NID_organizationalUnitName)
    }

    /// Reads a name in DER.
    ///
    /// - Throws: ``Status/decode`` for anything else.
    init(der: Span<UInt8>) throws(KeychainError) {
        Libcrypto.start()
        // libcrypto also reads other forms of BER.
        _ = try DERReader.sequence(der)
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
        /// The type and the value, DER.
        let der: [UInt8]
        /// Parts with the same number belong together.
        let set: Int32

        init(_ entry: OpaquePointer) throws(KeychainError) {
            // Safe: the entry belongs to the caller's name, and so does what it consists of.
            let type = unsafe X509_NAME_ENTRY_get_object(entry)
            identifier = try unsafe Libcrypto.encoding { unsafe i2d_ASN1_OBJECT(type, $0) }
            kind = unsafe OBJ_obj2nid(type)
            text = unsafe Libcrypto.text(X509_NAME_ENTRY_get_data(entry))
            der = try unsafe Libcrypto.encoding { unsafe i2d_X509_NAME_ENTRY(entry, $0) }
            set = unsafe X509_NAME_ENTRY_set(entry)
        }

        /// The type and the value in the form in which equal ones have equal bytes.
        var normalized: [UInt8] {
            guard let text else {
                return der
            }
            return Secret.sequence { sequence in
                sequence.append(identifier.span)
                sequence.append(.utf8String, bytes: Array(text.normalizedForNames.utf8))
            }.publicBytes()
        }
    }

    private static func parts(_ name: OpaquePointer) throws(KeychainError) -> [Part] {
        var parts: [Part] = []
        // Safe: the name belongs to the caller's certificate.
        while let entry = unsafe X509_NAME_get_entry(name, Int32(parts.count)) {
            parts.append(try unsafe Part(entry))
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

    private static func normalize(_ parts: [Part]) -> [UInt8] {
        var sets: [(number: Int32, pairs: [[UInt8]])] = []
        for part in parts {
            if sets.last?.number == part.set {
                sets[sets.count - 1].pairs.append(part.normalized)
            } else {
                sets.append((part.set, [part.normalized]))
            }
        }
        return Secret.sequence { sequence in
            for set in sets {
                // DER orders the elements of a set by their bytes.
                let pairs = set.pairs.sorted { $0.lexicographicallyPrecedes($1) }
                sequence.append(.set, bytes: pairs.flatMap(\.self))
            }
        }.publicBytes()
    }
}
