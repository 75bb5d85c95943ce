internal import KeychainServices
internal import PlainTextFormats

/// Parses the lines of a dump.
extension Span where Element == UInt8 {
    /// The name of the attribute on this line, and where its value begins: `    "acct"<blob>=…`, and
    /// `    0x00000007 <blob>=…` for the label. Nil for a line of another form.
    var dumpAttribute: (name: ByteString, equalsSign: Int)? {
        guard let bracket = firstIndex(of: UInt8(ascii: "<")),
            let equalsSign = firstIndex(of: UInt8(ascii: "="), from: bracket)
        else {
            return nil
        }
        let name = extracting(withoutBlanks(unquoted(0..<bracket)))
        return (name.equals("0x00000007") ? "labl" : ByteString(copying: name), equalsSign)
    }

    /// Whether an attribute has no value, or the number 0.
    var isNoDumpValue: Bool {
        let value = extracting(withoutWhitespace)
        return value.isEmpty || value.equals("<NULL>") || value.equals("0x00000000")
    }

    /// The bytes of a value: `"text"`, or `0x6164`, optionally followed by a text. Nil for others, `<NULL>`
    /// in particular.
    var dumpValue: Secret? {
        let value = extracting(withoutWhitespace)
        if value.starts(with: "0x") {
            return value.extracting(2...).hexadecimalBytes
        }
        // The dump does not escape quotation marks within the text.
        guard value.count > 1, value[0] == .quotationMark,
            value[value.count - 1] == .quotationMark
        else {
            return nil
        }
        return value.extracting(1..<value.count - 1).octalUnescaped
    }

    /// The bytes of the hexadecimal digits up to a space or the end, nil for anything else.
    private var hexadecimalBytes: Secret? {
        var bytes = SecretBuilder(capacity: count / 2)
        var index = 0
        while index < count, self[index] != .space {
            guard index + 1 < count, let high = Hexadecimal.value(of: self[index]),
                let low = Hexadecimal.value(of: self[index + 1])
            else {
                return nil
            }
            bytes.append(high << 4 | low)
            index += 2
        }
        return bytes.finish()
    }

    /// The bytes with each backslash and three octal digits decoded.
    private var octalUnescaped: Secret {
        var bytes = SecretBuilder(capacity: count)
        var index = 0
        while index < count {
            if self[index] == .backslash, let byte = extracting((index + 1)...).octalByte {
                bytes.append(byte)
                index += 4
            } else {
                bytes.append(self[index])
                index += 1
            }
        }
        return bytes.finish()
    }

    /// The byte of the first three octal digits, nil without them.
    private var octalByte: UInt8? {
        guard count >= 3 else {
            return nil
        }
        var number = 0
        for index in 0..<3 {
            guard (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(self[index]) else {
                return nil
            }
            number = number * 8 + Int(self[index] & 0x07)
        }
        return UInt8(exactly: number)
    }
}
