package import KeychainServices

/// A value of one line in a file. Its bytes stay where they are, and are wiped with the file's.
package struct YAMLScalar: Equatable {
    /// A file, which its values share.
    final class File: Sendable {
        let bytes: Secret

        init(_ bytes: consuming Secret) {
            self.bytes = bytes
        }
    }

    private let file: File
    private let range: Range<Int>

    init(_ range: Range<Int>, in file: File) {
        self.range = range
        self.file = file
    }

    /// Passes the value's bytes to a closure.
    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        file.bytes.withBytes { body($0.extracting(range)) }
    }

    /// A part of the value, by its bytes from the value's first one.
    func part(_ part: Range<Int>) -> YAMLScalar {
        YAMLScalar(
            range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound, in: file)
    }

    /// The value as a string: for names, never for secrets.
    var name: String {
        withBytes { ByteString(copying: $0).description }
    }

    /// A copy of the value.
    package var secret: Secret {
        file.bytes.withBytes { Secret(copying: $0.extracting(range)) }
    }

    /// Whether two values are the same place of a file.
    package static func == (one: YAMLScalar, other: YAMLScalar) -> Bool {
        one.file === other.file && one.range == other.range
    }
}
