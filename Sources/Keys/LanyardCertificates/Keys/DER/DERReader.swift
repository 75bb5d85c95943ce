internal import LanyardSecrets

/// Reads elements of DER in their order, within a range of some bytes.
///
/// It accepts DER only: lengths and integers in their shortest form, tags of one byte. The bytes
/// are passed to each call, because a reader can't hold them.
struct DERReader {
    private var position: Int
    private let end: Int

    /// Reads the elements of a range.
    init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    /// Reads a sequence that is all of the bytes, and returns a reader for its elements.
    static func sequence(_ bytes: Span<UInt8>) throws(KeychainError) -> DERReader {
        var reader = DERReader(0..<bytes.count)
        let sequence = try reader.sequence(in: bytes)
        try reader.finish()
        return sequence
    }

    /// The next element's tag, nil at the end.
    func tag(in bytes: Span<UInt8>) -> UInt8? {
        position < end ? bytes[position] : nil
    }

    /// Whether there are no more elements.
    var isAtEnd: Bool { position == end }

    /// Reads an element with a tag, and returns where its content is.
    mutating func read(_ tag: DERTag, in bytes: Span<UInt8>) throws(KeychainError) -> Range<Int> {
        guard self.tag(in: bytes) == tag.rawValue, end - position >= 2 else {
            throw .invalidKeyFormat
        }
        var start = position + 2
        var length = Int(bytes[position + 1])
        if length >= 0x80 {
            let count = length & 0x7F
            guard (1...3).contains(count), count <= end - start, bytes[start] != 0 else {
                throw .invalidKeyFormat
            }
            length = 0
            for index in start..<start + count {
                length = length << 8 | Int(bytes[index])
            }
            start += count
            guard length >= 0x80 else {
                throw .invalidKeyFormat
            }
        }
        guard length <= end - start else {
            throw .invalidKeyFormat
        }
        position = start + length
        return start..<position
    }

    /// Reads a sequence, and returns a reader for its elements.
    mutating func sequence(in bytes: Span<UInt8>) throws(KeychainError) -> DERReader {
        DERReader(try read(.sequence, in: bytes))
    }

    /// Reads an integer that is not negative, and returns where its bytes are: none for 0, otherwise
    /// without leading zeros.
    mutating func integer(in bytes: Span<UInt8>) throws(KeychainError) -> Range<Int> {
        let content = try read(.integer, in: bytes)
        guard let first = content.first, bytes[first] < 0x80 else {
            throw .invalidKeyFormat
        }
        guard bytes[first] == 0 else {
            return content
        }
        guard content.count == 1 || bytes[first + 1] >= 0x80 else {
            throw .invalidKeyFormat
        }
        return first + 1..<content.upperBound
    }

    /// Reads an integer from 0 to 2³² - 1.
    mutating func number(in bytes: Span<UInt8>) throws(KeychainError) -> Int {
        let content = try integer(in: bytes)
        guard content.count <= 4 else {
            throw .invalidKeyFormat
        }
        return content.reduce(0) { $0 << 8 | Int(bytes[$1]) }
    }

    /// Reads a bit string of whole bytes, and returns where these are.
    mutating func bitString(in bytes: Span<UInt8>) throws(KeychainError) -> Range<Int> {
        let content = try read(.bitString, in: bytes)
        guard let first = content.first, bytes[first] == 0 else {
            throw .invalidKeyFormat
        }
        return first + 1..<content.upperBound
    }

    /// Throws if there are more elements.
    func finish() throws(KeychainError) {
        guard isAtEnd else {
            throw .invalidKeyFormat
        }
    }
}
