package import LanyardSecrets

/// A value in a plain-text file.
package struct PlainTextValue: Sendable {
    /// The names that lead to it; those of a list's elements are empty.
    package let path: [String]
    /// Its bytes, without quotation marks.
    package private(set) var range: Range<Int>
    /// Its line, from 1.
    package let line: Int
    /// A number for the object, section or list element that has it.
    package var parent = 0
    /// Whether the bytes are the value: they have no escapes, and it ends with them.
    package var isVerbatim = true
    /// The value if the bytes are another text, nil also if it is not read.
    package var content: FileBytes?
    /// The bytes to remove with it; the rest is a valid file again.
    package var removal: Range<Int>

    /// Whether the value is known: its bytes are, or what they mean.
    package var isRead: Bool { isVerbatim || content != nil }

    /// Returns the value, nil if it is not read.
    package func bytes(in text: Span<UInt8>) -> FileBytes? {
        isVerbatim ? FileBytes(Secret(copying: text.extracting(range))) : content
    }

    /// Returns the value as a string, also one that is not read: for names, never for secrets.
    package func name(in text: Span<UInt8>) -> String {
        content?.name ?? ByteString(copying: text.extracting(range)).description
    }

    /// Returns the value in a text with further bytes before its own.
    func moved(by count: Int) -> PlainTextValue {
        var value = self
        value.range = range.lowerBound + count..<range.upperBound + count
        value.removal = removal.lowerBound + count..<removal.upperBound + count
        return value
    }

    /// The names above the last one.
    package var parentPath: ArraySlice<String> { path.dropLast() }
}
