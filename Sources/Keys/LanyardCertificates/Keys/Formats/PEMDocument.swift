internal import LanyardSecrets

/// One block of a PEM text: RFC 7468, and the headers of RFC 1421 that OpenSSL writes.
struct PEMDocument: ~Copyable {
    /// The words between `-----BEGIN ` and `-----`.
    let label: ByteString
    /// The headers' lines, such as `DEK-Info: AES-256-CBC,…`.
    let headers: [ByteString]
    /// The bytes that the lines encode.
    let contents: Secret

    /// Reads the next block from a position, and moves the position behind it. Text before the block is
    /// skipped.
    ///
    /// - Returns: Nil if there are no more blocks.
    static func next(
        in text: Span<UInt8>, from position: inout Int
    ) throws(KeychainError) -> PEMDocument? {
        guard let label = beginning(in: text, from: &position) else {
            return nil
        }
        var headers: [ByteString] = []
        var digits = SecretBuilder(capacity: 4096)
        while position < text.count {
            let line = text.extracting(nextLine(in: text, from: &position))
            if line.starts(with: "-----") {
                guard boundary(line, "-----END ") == label else {
                    throw .invalidPEM
                }
                let contents = digits.finish().withBytes { Base64.decode($0) }
                guard let contents else {
                    throw .invalidPEM
                }
                return PEMDocument(label: label, headers: headers, contents: contents)
            }
            if line.contains(UInt8(ascii: ":")) {
                guard headers.count < 8 else {
                    throw .invalidPEM
                }
                headers.append(ByteString(copying: line))
            } else {
                digits.append(line)
            }
        }
        throw .invalidPEM
    }

    /// Moves behind the next line that begins a block, and returns the block's label.
    private static func beginning(in text: Span<UInt8>, from position: inout Int) -> ByteString? {
        // A byte order mark, which editors on Windows write.
        if position == 0, text.starts(with: "\u{FEFF}") {
            position = 3
        }
        while position < text.count {
            let line = text.extracting(nextLine(in: text, from: &position))
            if let label = boundary(line, "-----BEGIN ") {
                return label
            }
        }
        return nil
    }

    /// Returns where the next line is, without white space around it, and moves behind it.
    private static func nextLine(in text: Span<UInt8>, from position: inout Int) -> Range<Int> {
        var start = position
        var end = text.firstIndex(of: UInt8(ascii: "\n"), from: position) ?? text.count
        position = min(end + 1, text.count)
        while start < end, isSpace(text[start]) {
            start += 1
        }
        while start < end, isSpace(text[end - 1]) {
            end -= 1
        }
        return start..<end
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D
    }

    /// Returns the label of a boundary line, nil for other lines.
    private static func boundary(_ line: Span<UInt8>, _ start: StaticString) -> ByteString? {
        let edge = start.utf8CodeUnitCount
        guard line.starts(with: start), (edge + 6...edge + 69).contains(line.count),
            line.extracting(droppingFirst: line.count - 5).equals("-----")
        else {
            return nil
        }
        return ByteString(copying: line.extracting(edge..<line.count - 5))
    }
}

extension PEMDocument {
    /// Returns the text of a block with lines of 64 digits.
    static func encode(
        _ label: StaticString, headers: [String] = [], _ contents: borrowing Secret,
        lineLength: Int = 64
    ) -> Secret {
        let digits = contents.withBytes { Base64.encode($0) }
        var text = SecretBuilder(capacity: digits.count + digits.count / 32 + 256)
        text.append("-----BEGIN ")
        text.append(label)
        text.append("-----\n")
        for header in headers {
            text.append(ByteString(header))
            text.append("\n")
        }
        if !headers.isEmpty {
            text.append("\n")
        }
        digits.withBytes { digits in
            var position = 0
            while position < digits.count {
                let end = min(position + lineLength, digits.count)
                text.append(digits.extracting(position..<end))
                text.append("\n")
                position = end
            }
        }
        text.append("-----END ")
        text.append(label)
        text.append("-----\n")
        return text.finish()
    }
}

extension KeychainError {
    static var invalidPEM: KeychainError { KeychainError(.decode, "invalid PEM text") }
}
