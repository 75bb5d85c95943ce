internal import KeychainServices

extension ItemAttributes {
    /// The item's name in a user's form: a URL, or the service.
    ///
    /// Ambiguous parts are percent-encoded, which lets ``ItemName`` find the item again.
    var name: ByteString {
        // A server's login may lack a server, such as one for a certificate's file.
        guard let server = server ?? (`protocol` == nil ? nil : "") else {
            return service ?? ""
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
        return code.isScheme ? code.lowercasedASCII : nil
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
        let isText = UTF8Validity.isValid(bytes.span)
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

extension Timestamp {
    /// The time in the form `2026-11-21T08:06:00Z`: RFC 3339 in UTC.
    var text: String {
        // A proleptic Gregorian calendar that counts days since 0000-03-01, which puts leap days last.
        let day = secondsSinceEpoch.floorDivided(by: 86_400)
        // Not by a product, which would overflow for the earliest day.
        let second = (secondsSinceEpoch % 86_400 + 86_400) % 86_400
        let era = (day + 719_468).floorDivided(by: 146_097)
        let dayOfEra = day + 719_468 - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
        let calendarMonth = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0)
        var text: [UInt8] = []
        text.reserveCapacity(20)
        let parts: [(number: Int64, width: Int, end: UInt8)] = [
            (year, 4, UInt8(ascii: "-")), (calendarMonth, 2, UInt8(ascii: "-")),
            (dayOfMonth, 2, UInt8(ascii: "T")),
            (second / 3_600, 2, UInt8(ascii: ":")), (second / 60 % 60, 2, UInt8(ascii: ":")),
            (second % 60, 2, UInt8(ascii: "Z")),
        ]
        for part in parts {
            let digits = String(part.number).utf8
            for _ in 0..<max(0, part.width - digits.count) {
                text.append(UInt8(ascii: "0"))
            }
            text += digits
            text.append(part.end)
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
