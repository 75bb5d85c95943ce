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
        bytes += server.percentEncoded(besides: server.isBracketed ? "/?#@" : "/?#@:").bytes
        if let port, port != 0 {
            bytes += ":\(port)".utf8
        }
        if let path, !path.isEmpty {
            if path.bytes.first != UInt8(ascii: "/") {
                bytes.append(UInt8(ascii: "/"))
            }
            bytes += path.percentEncoded(besides: "").bytes
        }
        return ByteString(bytes)
    }

    /// The item's name and its account for a sentence, nil without a name.
    var shownName: String? {
        let account = account.flatMap { $0.isEmpty ? nil : "'\($0)'" }
        guard !name.isEmpty else {
            return account.map { "an item of \($0)" }
        }
        return "'\(name)'" + (account.map { " of \($0)" } ?? "")
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
}
