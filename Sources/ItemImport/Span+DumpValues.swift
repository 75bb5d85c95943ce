internal import KeychainServices

/// Parses the lines of a dump.
extension Span where Element == UInt8 {
    /// The name of the attribute on this line, nil for one that items don't have: `    "acct"<blob>=…`,
    /// and `    0x00000007 <blob>=…` for the label.
    var dumpAttribute: FourCharacterCode? {
        let line = extracting(withoutWhitespace)
        if line.starts(with: "0x00000007 <") {
            return "labl"
        }
        guard line.count > 6, line[0] == .quotationMark, line[5] == .quotationMark,
            line[6] == UInt8(ascii: "<")
        else {
            return nil
        }
        let name = FourCharacterCode(ByteString(copying: line.extracting(1..<5)))
        return name.flatMap { dumpAttributes.contains($0) ? $0 : nil }
    }

    /// The name of an attribute with a value, nil for those of items: `    "abcd"<blob>=…`.
    var unknownDumpAttribute: ByteString? {
        let line = extracting(withoutWhitespace)
        guard line.count > 7, line[0] == .quotationMark, line[5] == .quotationMark,
            line[6] == UInt8(ascii: "<"), let equalsSign = line.firstIndex(of: UInt8(ascii: "=")),
            !line.extracting(equalsSign + 1..<line.count).isNoDumpValue
        else {
            return nil
        }
        let name = ByteString(copying: line.extracting(1..<5))
        return FourCharacterCode(name).map { dumpAttributes.contains($0) } == false ? name : nil
    }

    /// Whether an attribute has no value.
    var isNoDumpValue: Bool {
        let value = extracting(withoutWhitespace)
        return value.isEmpty || value.equals("<NULL>")
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

/// The attributes whose values are imported.
private let dumpAttributes: Set<FourCharacterCode> = [
    "acct", "desc", "icmt", "crtr", "type", "invi", "nega", "svce", "gena", "sdmn", "srvr", "path",
    "ptcl", "atyp", "port", "cdat", "mdat",
]
