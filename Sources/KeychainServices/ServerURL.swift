/// A server's address as people and registries write it: a URL, or a host with or without port and
/// path.
///
/// It is taken apart only where putting the parts together gives the same bytes again. Any other
/// text, such as one with a user in it or a port with a zero before it, has no parts.
package struct ServerURL: Equatable {
    /// As it is written, nil if there is none.
    package var scheme: ByteString?
    /// As it is written; IPv6 addresses in their brackets.
    package var host: ByteString
    /// Nil if none is written.
    package var port: UInt16?
    /// All from the slash behind host and port on, nil if there is none.
    package var path: ByteString?

    /// An address of these parts.
    package init(
        scheme: ByteString? = nil, host: ByteString, port: UInt16? = nil, path: ByteString? = nil
    ) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
    }

    /// The text of an item's parts; nil if no text has such parts.
    ///
    /// Of parts that were taken from a text it is the same text, and of a server that is a whole
    /// text it is that. A path that lacks the slash before it gets one.
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
