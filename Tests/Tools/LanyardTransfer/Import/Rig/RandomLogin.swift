import TestSupport

/// A login of random bytes.
struct RandomLogin: Equatable {
    var host: String
    var port: UInt16?
    var user: [UInt8]
    var password: [UInt8]
}

extension SeededRandom {
    /// Some logins for different hosts.
    ///
    /// - Parameter bytes: Makes a text of up to so many bytes or characters.
    mutating func logins(
        _ count: Int, _ bytes: (inout SeededRandom) -> [UInt8]
    ) -> [RandomLogin] {
        (0..<count).map { index in
            RandomLogin(
                host: "\(word())\(index).example.\(element(of: ["com", "org", "net"]))",
                port: number(below: 3) == 0 ? UInt16(1 + number(below: 65_535)) : nil,
                user: [UInt8(ascii: "u")] + bytes(&self),
                password: [UInt8(ascii: "p")] + bytes(&self))
        }
    }

    mutating func word() -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        return "h" + String((0..<number(below: 12)).map { _ in element(of: letters) })
    }

    /// Any bytes but those that git's protocol can't transport.
    mutating func line() -> [UInt8] {
        (0..<number(below: 24)).map { _ in
            var byte: UInt8
            repeat {
                byte = UInt8(truncatingIfNeeded: next())
            } while [0x00, 0x0A, 0x0D].contains(byte)
            return byte
        }
    }

    /// Any bytes, those that mean something in the formats more often than others.
    mutating func bytes() -> [UInt8] {
        (0..<number(below: 24)).map { _ in
            number(below: 3) == 0
                ? element(of: Array("\",\n\r\\\0:;=#@/%<>".utf8))
                : UInt8(truncatingIfNeeded: next())
        }
    }

    /// Any characters, those that mean something in the formats more often than others.
    mutating func characters() -> [UInt8] {
        var text = ""
        for _ in 0..<number(below: 16) {
            if number(below: 2) == 0 {
                text.unicodeScalars.append(
                    element(of: Array("\",\n\r\\\0:;é\u{1F511}".unicodeScalars)))
            } else if let scalar = Unicode.Scalar(UInt32(number(below: 0x11_0000))) {
                text.unicodeScalars.append(scalar)
            }
        }
        return Array(text.utf8)
    }
}
