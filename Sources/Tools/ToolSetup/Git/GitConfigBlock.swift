internal import KeychainServices

/// Lines at the end of a git configuration that set credential helpers. Nothing else in the file changes.
enum GitConfigBlock {
    /// Returns the lines for these helpers.
    ///
    /// - Parameter lineEnd: The end of each line.
    static func text(_ helpers: [GitHelper], lineEnd: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        var section: GitHelper?
        for helper in helpers {
            if section == nil || section?.pattern != helper.pattern {
                text += Array("[credential".utf8)
                if let pattern = helper.pattern {
                    text += Array(" \"".utf8) + escaped(pattern) + Array("\"".utf8)
                }
                text += Array("]".utf8) + lineEnd
                section = helper
            }
            text += Array("\thelper =".utf8)
            text += (helper.value.isEmpty ? [] : [0x20]) + quoted(Array(helper.value)) + lineEnd
        }
        return text
    }

    /// Returns a file's text with a block after it.
    static func appending(_ block: [UInt8], to text: FileBytes, lineEnd: [UInt8]) -> FileBytes {
        var added: [UInt8] = []
        if let last = text.last, last != 0x0A {
            added += lineEnd
        }
        // A line with a backslash at its end continues on the next one.
        let line = text.trimmingSuffix { $0 == 0x0A || $0 == 0x0D }
        if line.last == UInt8(ascii: "\\") {
            added += lineEnd
        }
        return FileBytes(joining: [text, FileBytes(added + block)])
    }

    /// Returns the line end of a text.
    static func lineEnd(of text: FileBytes) -> [UInt8] {
        guard let end = text.firstIndex(of: 0x0A), end > 0, text[end - 1] == 0x0D else {
            return [0x0A]
        }
        return [0x0D, 0x0A]
    }

    /// Returns a block's lines for users, with only the first word of a command.
    static func lines(_ block: [UInt8]) -> [String] {
        block.split(separator: 0x0A).map { line in
            let text = String(decoding: line.trimmingSuffix(\.isWhitespace), as: UTF8.self)
            let start = "\thelper = "
            guard text.hasPrefix(start) else {
                return text
            }
            let value = text.dropFirst(start.count).drop { $0 == "\"" || $0 == " " }
            // A space in a path has a backslash before it, which is doubled here.
            var isEscaped = false
            let word = value.prefix { character in
                defer { isEscaped = character == "\\" }
                return character != " " || isEscaped
            }
            return start + (word.count < value.count ? "\(word) …" : word)
        }
    }

    private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte in
            [UInt8(ascii: "\\"), UInt8(ascii: "\"")].contains(byte)
                ? [UInt8(ascii: "\\"), byte] : [byte]
        }
    }

    private static func quoted(_ value: [UInt8]) -> [UInt8] {
        let isPlain =
            value.first?.isWhitespace != true && value.last?.isWhitespace != true
            && !value.contains { byte in
                [UInt8(ascii: "#"), UInt8(ascii: ";"), 0x0D].contains(byte)
            }
        let text = escaped(value).flatMap { byte -> [UInt8] in
            switch byte {
            case 0x0A: Array("\\n".utf8)
            case 0x09: Array("\\t".utf8)
            case 0x08: Array("\\b".utf8)
            default: [byte]
            }
        }
        return isPlain ? text : Array("\"".utf8) + text + Array("\"".utf8)
    }
}

extension Collection where Self: BidirectionalCollection {
    /// Returns the elements without a suffix that satisfies a condition.
    func trimmingSuffix(_ isTrimmed: (Element) -> Bool) -> SubSequence {
        guard let last = lastIndex(where: { !isTrimmed($0) }) else {
            return self[startIndex..<startIndex]
        }
        return self[...last]
    }
}

extension FileBytes {
    /// The bytes without the white space around them.
    var trimmed: FileBytes { drop(while: \.isWhitespace).trimmingSuffix(\.isWhitespace) }
}
