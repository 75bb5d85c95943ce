/// Writes DER of any form, also of forms that no certificate has.
enum DER {
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        if content.count < 0x80 {
            return [tag, UInt8(content.count)] + content
        }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    static func sequence(_ elements: [UInt8]...) -> [UInt8] {
        element(0x30, elements.flatMap(\.self))
    }

    static func set(_ elements: [UInt8]...) -> [UInt8] {
        element(0x31, elements.flatMap(\.self))
    }

    static func integer(_ content: [UInt8]) -> [UInt8] { element(0x02, content) }
    static func bitString(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }
    static func octetString(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }
    static func text(_ tag: UInt8, _ text: String) -> [UInt8] { element(tag, Array(text.utf8)) }
    static func utf8(_ text: String) -> [UInt8] { self.text(0x0C, text) }
    static func printable(_ text: String) -> [UInt8] { self.text(0x13, text) }
    static func ia5(_ text: String) -> [UInt8] { self.text(0x16, text) }
    /// A BMPString of UTF-16.
    static func bmp(_ text: String) -> [UInt8] {
        element(0x1E, text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
    }

    /// An object identifier of numbers with dots between them.
    static func identifier(_ text: String) -> [UInt8] {
        let numbers = text.split(separator: ".").map { Int($0)! }
        var content: [UInt8] = [UInt8(numbers[0] * 40 + numbers[1])]
        for number in numbers.dropFirst(2) {
            var digits = [UInt8(number & 0x7F)]
            var rest = number >> 7
            while rest > 0 {
                digits.insert(0x80 | UInt8(rest & 0x7F), at: 0)
                rest >>= 7
            }
            content += digits
        }
        return element(0x06, content)
    }

    /// A name with one attribute in each set.
    static func name(_ attributes: (String, [UInt8])...) -> [UInt8] {
        element(0x30, attributes.flatMap { set(attribute($0.0, $0.1)) })
    }

    static func attribute(_ type: String, _ value: [UInt8]) -> [UInt8] {
        sequence(identifier(type), value)
    }

    /// A name with a common name alone.
    static func common(_ text: String) -> [UInt8] { name((commonName, utf8(text))) }

    static let commonName = "2.5.4.3"
    static let organization = "2.5.4.10"
    static let unit = "2.5.4.11"
    static let country = "2.5.4.6"
    static let email = "1.2.840.113549.1.9.1"
}
