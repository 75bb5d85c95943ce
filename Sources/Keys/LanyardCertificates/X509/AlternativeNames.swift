internal import CLibcrypto
internal import KeychainServices

/// The alternative names of a certificate's subject, without those of rarer kinds: RFC 5280, section 4.2.1.6.
struct AlternativeNames {
    private(set) var hosts: [String] = []
    /// IP addresses as text.
    private(set) var addresses: [String] = []
    private(set) var emailAddresses: [ByteString] = []

    /// Reads those of a certificate; none if they are damaged.
    init(of certificate: OpaquePointer) {
        // Safe: the list is freed here, and its texts are copied before.
        guard let list = unsafe X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil)
        else {
            ERR_clear_error()
            return
        }
        let names = OpaquePointer(list)
        defer { unsafe GENERAL_NAMES_free(names) }
        var index: Int32 = 0
        var value: UnsafePointer<ASN1_STRING>?
        while true {
            let kind = unsafe lanyard_alternative_name(names, index, &value)
            index += 1
            let bytes = unsafe Libcrypto.bytes(kind > 0 ? value : nil)
            switch kind {
            case 0: return
            case 1: AlternativeNames.text(bytes).map { emailAddresses.append(ByteString($0)) }
            case 2: AlternativeNames.text(bytes).map { hosts.append($0) }
            case 3: AlternativeNames.address(bytes).map { addresses.append($0) }
            default: break
            }
        }
    }

    /// Returns a text of ASCII without control characters, nil for others.
    private static func text(_ bytes: [UInt8]) -> String? {
        bytes.allSatisfy { (0x20..<0x7F).contains($0) } && !bytes.isEmpty
            ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Returns an IPv6 address with `::` for its longest run of zeros: RFC 5952.
    private static func groups(_ bytes: [UInt8]) -> String {
        let groups = stride(from: 0, to: 16, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        var longest = 0..<0
        var start = 0
        for place in groups.indices where groups[place] != 0 || place == 7 {
            let end = groups[place] == 0 ? 8 : place
            if end - start > max(longest.count, 1) {
                longest = start..<end
            }
            start = place + 1
        }
        let texts = groups.map { String($0, radix: 16) }
        guard !longest.isEmpty else {
            return texts.joined(separator: ":")
        }
        return texts[..<longest.lowerBound].joined(separator: ":") + "::"
            + texts[longest.upperBound...].joined(separator: ":")
    }

    private static func address(_ bytes: [UInt8]) -> String? {
        switch bytes.count {
        case 4: bytes.map { String($0) }.joined(separator: ".")
        case 16: groups(bytes)
        default: nil
        }
    }
}

extension DistinguishedName {
    /// The texts that are e-mail addresses by their form.
    var emailAddresses: [ByteString] {
        emailTexts.filter { $0.utf8.contains(UInt8(ascii: "@")) }.map { ByteString($0) }
    }
}
