internal import Cryptography
internal import KeychainServices
internal import LinuxSystem
internal import Secrets

/// A file of encrypted parts: neither writing nor reading it needs room for all of it in clear text.
///
/// In front of the parts are random bytes, others each time the file is written. Each part has a mark, 1 for the last
/// one (1 byte), its length (4) and a ``SealedBox``, which is bound to the random bytes, the part's number and the
/// mark: none can be left out, change its place, or come from another version of the file.
enum SealedParts {
    /// The size in bytes from which a part is complete.
    private static let size = 1 << 20
    private static let randomSize = 16

    /// - Parameter prefix: The label and the random bytes.
    private static func associatedData(
        _ prefix: [UInt8], _ number: UInt32, isLast: Bool
    ) -> [UInt8] {
        prefix + number.bigEndianBytes + [isLast ? 1 : 0]
    }

    /// Writes the parts into a new file.
    struct Writer: ~Copyable {
        private let file: TemporaryFile
        private let key: Secret
        private let prefix: [UInt8]
        private var number: UInt32 = 0

        /// Creates a writer.
        ///
        /// - Parameter start: The bytes at the file's start, in clear text.
        init(
            beside path: String, start: [UInt8], under key: borrowing Secret, label: [UInt8]
        ) throws(KeychainError) {
            let random = try RandomBytes.make(SealedParts.randomSize)
            let file = try TemporaryFile(beside: path)
            try file.append((start + random).span)
            self.file = file
            self.key = key.copy()
            prefix = label + random
        }

        /// Takes what was written, if it is enough for a part.
        mutating func next(_ writer: inout ByteWriter) throws(KeychainError) {
            if writer.bytes.count >= SealedParts.size {
                try append(writer.bytes, isLast: false)
                writer = ByteWriter()
            }
        }

        private mutating func append(_ bytes: [UInt8], isLast: Bool) throws(KeychainError) {
            let box = try SealedBox.seal(
                bytes.span, under: key,
                associatedData: SealedParts.associatedData(prefix, number, isLast: isLast))
            var head = ByteWriter()
            head.number(UInt8(isLast ? 1 : 0))
            head.number(UInt32(box.count))
            try file.append(head.bytes.span)
            try file.append(box.span)
            number += 1
        }

        /// Writes the last part, and replaces the file.
        consuming func finish(_ writer: consuming ByteWriter) throws(KeychainError) {
            try append(writer.bytes, isLast: true)
            try file.replace()
        }
    }

    /// Reads the parts of a file.
    struct Reader: ~Copyable {
        private let file: PrivateFile
        private let key: Secret
        private let prefix: [UInt8]
        private var position: Int
        private var number: UInt32 = 0
        private var isLast = false

        /// Creates a reader.
        ///
        /// - Parameter start: The number of bytes in clear text at the file's start.
        /// - Throws: ``Status/decode`` if the file is too short.
        init(
            _ file: consuming PrivateFile, start: Int, under key: borrowing Secret, label: [UInt8]
        ) throws(KeychainError) {
            let random = try file.read(SealedParts.randomSize, at: start)
            guard random.count == SealedParts.randomSize else {
                throw KeychainError(.decode)
            }
            prefix = label + random
            position = start + SealedParts.randomSize
            self.file = file
            self.key = key.copy()
        }

        /// Returns the first part.
        mutating func begin() throws(KeychainError) -> ByteReader {
            ByteReader(try open())
        }

        /// Goes on in the next part, if there is one and all of this one was read.
        mutating func next(_ reader: inout ByteReader) throws(KeychainError) {
            if reader.isAtEnd, !isLast {
                reader = try begin()
            }
        }

        private mutating func open() throws(KeychainError) -> [UInt8] {
            var head = ByteReader(try file.read(5, at: position))
            let mark = try head.number(UInt8.self)
            let count = Int(try head.number(UInt32.self))
            let start = position + 5
            position = start + count
            guard mark < 2, position <= file.size, mark == 0 || position == file.size else {
                throw KeychainError(.decode)
            }
            isLast = mark == 1
            let box = try file.read(count, at: start)
            let opened = try SealedBox.open(
                box.span, under: key,
                associatedData: SealedParts.associatedData(prefix, number, isLast: isLast))
            number += 1
            // No secrets: contents are encrypted under the team's keys.
            return opened.withBytes { ByteString(copying: $0).bytes }
        }
    }
}
