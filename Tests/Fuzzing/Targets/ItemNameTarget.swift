import KeychainServices

@testable import LanyardCommand

/// What users name an item by: nothing of it gets lost, and a URL that is written anew from what
/// was understood is understood the same.
enum ItemNameTarget: FuzzTarget {
    static let name = "item-name"

    static func run(_ input: [UInt8]) {
        // An argument is a text.
        let text = String(decoding: input.filter { $0 != 0 }, as: UTF8.self)
        guard let name = attempt({ () throws(KeychainError) in try ItemName(text, account: nil) })
        else {
            return
        }
        let attributes = name.attributes
        guard name.itemClass == .internetPassword else {
            check(attributes.service == ByteString(text), "a service is not what was typed")
            return
        }
        check(
            attributes.server == attributes.server?.lowercasedASCII,
            "a server is not in small letters")
        guard let scheme = attributes.protocol?.scheme else {
            fail("a URL has no scheme")
        }
        var written = scheme.bytes + Array("://".utf8)
        if let account = attributes.account {
            written += escaped(account) + [UInt8(ascii: "@")]
        }
        let server = attributes.server ?? ""
        let isBracketed =
            server.bytes.first == UInt8(ascii: "[") && server.bytes.last == UInt8(ascii: "]")
            && server.bytes.count > 1
        written += isBracketed ? inBrackets(server) : escaped(server)
        if let port = attributes.port, port != 0 {
            written += Array(":\(port)".utf8)
        }
        written += [UInt8(ascii: "/")] + escaped(attributes.path ?? "")
        let again = attempt { () throws(KeychainError) in
            try ItemName(String(decoding: written, as: UTF8.self), account: nil)
        }
        // What a list shows under the same name is a service as it was typed, and another one here.
        check(
            again?.itemClass == name.itemClass && again?.attributes == name.attributes,
            "a URL that is written anew means another item")
    }

    private static func inBrackets(_ server: ByteString) -> [UInt8] {
        [UInt8(ascii: "[")]
            + server.bytes.dropFirst().dropLast().flatMap { byte in
                byte == UInt8(ascii: ":") ? [byte] : escaped(ByteString([byte]))
            } + [UInt8(ascii: "]")]
    }

    private static func escaped(_ text: ByteString) -> [UInt8] {
        text.bytes.flatMap { byte in
            let digits = String(byte, radix: 16)
            return Array("%\(digits.utf8.count < 2 ? "0" : "")\(digits)".utf8)
        }
    }
}
