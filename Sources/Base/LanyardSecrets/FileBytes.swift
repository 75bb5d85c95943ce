/// The bytes of a file or of a program's output, or a part of them. All parts share the file's memory, which
/// is wiped with the last of them.
package struct FileBytes: RandomAccessCollection, Sendable {
    private final class Memory: Sendable {
        let bytes: Secret

        init(_ bytes: consuming Secret) {
            self.bytes = bytes
        }
    }

    private let memory: Memory
    /// The position of the first byte in the whole file.
    package let startIndex: Int
    /// The position after the last byte in the whole file.
    package let endIndex: Int

    /// Takes the bytes of a whole file.
    package init(_ bytes: consuming Secret) {
        startIndex = 0
        endIndex = bytes.count
        memory = Memory(bytes)
    }

    /// Copies bytes. The original must be no secret, or be wiped.
    package init(_ bytes: some Sequence<UInt8>) {
        var copy = SecretBuilder()
        for byte in bytes {
            copy.append(byte)
        }
        self.init(copy.finish())
    }

    /// Copies a text, which must be no secret.
    package init(_ text: String) {
        self.init(Secret(text))
    }

    /// Writes parts one after the other.
    package init(joining parts: [FileBytes], separator: FileBytes = "") {
        var bytes = SecretBuilder(capacity: parts.reduce(0) { $0 + $1.count + separator.count })
        for (number, part) in parts.enumerated() {
            if number > 0 {
                separator.withBytes { bytes.append($0) }
            }
            part.withBytes { bytes.append($0) }
        }
        self.init(bytes.finish())
    }

    private init(_ range: Range<Int>, of memory: Memory) {
        self.memory = memory
        startIndex = range.lowerBound
        endIndex = range.upperBound
    }

    /// The byte at a position in the whole file.
    package subscript(position: Int) -> UInt8 {
        precondition(startIndex..<endIndex ~= position, "a position is in its part")
        return memory.bytes.withBytes { $0[position] }
    }

    /// A part, which shares the memory.
    package subscript(range: Range<Int>) -> FileBytes {
        precondition(
            startIndex <= range.lowerBound && range.upperBound <= endIndex,
            "a part is within another")
        return FileBytes(range, of: memory)
    }

    /// Lends the bytes to a closure.
    package func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try memory.bytes.withBytes { bytes throws(Failure) in
            try body(bytes.extracting(startIndex..<endIndex))
        }
    }

    /// A copy of the bytes.
    package var secret: Secret {
        memory.bytes.withBytes { Secret(copying: $0.extracting(startIndex..<endIndex)) }
    }

    /// The bytes as a string: for names, never for secrets.
    package var name: String { withBytes { ByteString(copying: $0).description } }

    /// Whether the bytes end with a text.
    package func hasSuffix(_ text: String) -> Bool {
        suffix(text.utf8.count).elementsEqual(text.utf8)
    }

    /// The lines with their ends.
    package var wholeLines: [FileBytes] {
        var lines: [FileBytes] = []
        var start = startIndex
        while start < endIndex {
            let end = self[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? endIndex
            lines.append(self[start..<end])
            start = end
        }
        return lines
    }
}

extension FileBytes: Equatable {
    /// Compares the bytes, wherever they are in their files.
    package static func == (one: FileBytes, other: FileBytes) -> Bool {
        one.elementsEqual(other)
    }
}

extension FileBytes: ExpressibleByStringLiteral {
    /// Copies a literal.
    package init(stringLiteral text: String) {
        self.init(text)
    }
}
