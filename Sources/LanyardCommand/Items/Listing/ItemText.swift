internal import KeychainServices

extension ItemAttributes {
    /// The item's name in a user's form: a URL, the service, or the label of a certificate or key.
    ///
    /// Ambiguous parts are percent-encoded, which lets ``ItemName`` find the item again.
    var name: ByteString {
        // A server's login may lack a server, such as one for a certificate's file.
        guard let server = server ?? (`protocol` == nil ? nil : "") else {
            let isNamedByLabel = keyClass != nil || subject != nil
            return service ?? (isNamedByLabel ? label : nil) ?? ""
        }
        var bytes: [UInt8] = []
        if let scheme = `protocol`?.shownScheme {
            bytes += scheme.bytes
            bytes += "://".utf8
        }
        bytes += server.percentEncoded(besides: server.isBracketed ? "/?#@" : "/?#@:")
        if let port, port != 0 {
            bytes += ":\(port)".utf8
        }
        if let path, !path.isEmpty {
            if path.bytes.first != UInt8(ascii: "/") {
                bytes.append(UInt8(ascii: "/"))
            }
            bytes += path.percentEncoded(besides: "")
        }
        return ByteString(bytes)
    }

    /// The item's name and its account for a sentence, nil without a name.
    var shownName: String? {
        var text = name.description
        if let account, !account.isEmpty {
            text += " of \(account.description)"
        }
        return text.isEmpty ? nil : "'\(text)'"
    }
}

extension ProtocolType {
    /// The scheme in the URL of an item with this protocol. A code without a scheme, such as `htpx`, is its
    /// own.
    var shownScheme: ByteString? {
        if let scheme {
            return scheme
        }
        let code = ByteString(Array(rawValue.bytes.prefix { $0 != UInt8(ascii: " ") }))
        return code.bytes.span.isScheme ? code.lowercasedASCII : nil
    }
}

extension ByteString {
    /// Whether it is an address in brackets, in which a colon starts no port.
    fileprivate var isBracketed: Bool {
        bytes.first == UInt8(ascii: "[") && bytes.last == UInt8(ascii: "]")
    }

    /// Returns the bytes with percent signs, spaces and control characters encoded. Without valid UTF-8,
    /// all bytes outside of ASCII are encoded, too: RFC 3986, section 2.1.
    fileprivate func percentEncoded(besides others: String) -> [UInt8] {
        let isText = bytes.span.isUTF8
        let digits = Array("0123456789ABCDEF".utf8)
        let others = Array(others.utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count)
        for byte in bytes {
            let isPlain =
                (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "%")
                && !others.contains(byte)
            if isPlain || byte >= 0x80 && isText {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return encoded
    }
}
