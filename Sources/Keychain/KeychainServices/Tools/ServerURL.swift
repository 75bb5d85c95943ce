/// A server's address as users and registries write it: a URL, or a host with or without port and
/// path.
///
/// A text is split only if its parts make the same bytes again. Any other, such as one with a user
/// or with a leading zero in its port, stays whole.
package struct ServerURL: Equatable {
    /// As written, nil if missing.
    package var scheme: ByteString?
    /// As written; IPv6 addresses in their brackets.
    package var host: ByteString
    /// Nil if missing.
    package var port: UInt16?
    /// Everything from the slash after host and port, nil if missing.
    package var path: ByteString?

    /// The path as items have it: percent-decoded, without slashes at its ends; nil if missing. One that can't be
    /// decoded stays as it is.
    package var decodedPath: ByteString? {
        path.map { path in
            (path.bytes.span.percentDecoded.map { ByteString($0) } ?? path).trimmingSlashes
        }
    }

    /// Creates an address from its parts.
    package init(
        scheme: ByteString? = nil, host: ByteString, port: UInt16? = nil, path: ByteString? = nil
    ) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
    }

    /// Returns the text with an item's parts; nil if no text has them.
    ///
    /// Parts split from a text give the same text again, and a server that is a whole text gives
    /// itself. A path without a leading slash gets one.
    package static func text(_ attributes: ItemAttributes) -> ByteString? {
        guard let server = attributes.server, !server.isEmpty else {
            return nil
        }
        var text: [UInt8] = []
        text.reserveCapacity(64)
        if let type = attributes.protocol, !type.rawValue.isEmpty {
            guard let scheme = type.scheme else {
                return nil
            }
            text += scheme.bytes
            text += "://".utf8
        }
        text += server.bytes
        if let port = attributes.port, port != 0 {
            text += ":\(port)".utf8
        }
        if let path = attributes.path, let first = path.bytes.first {
            text += first == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
            text += path.bytes
        }
        return ByteString(text)
    }
}

extension ByteString {
    /// Without the slashes at both ends.
    package var trimmingSlashes: ByteString {
        let slash = UInt8(ascii: "/")
        guard let first = bytes.firstIndex(where: { $0 != slash }),
            let last = bytes.lastIndex(where: { $0 != slash })
        else {
            return ""
        }
        return ByteString(Array(bytes[first...last]))
    }
}
