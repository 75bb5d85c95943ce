internal import KeychainServices
internal import StrictJSON

/// The parts of an entry that have content and that no rule of its format reads: an import without them is
/// incomplete, and says so.
///
/// Each format lists the names of the parts without a meaning outside of the program that wrote it, such as icons; only
/// these are left out in silence.
final class UnreadParts {
    /// The most bytes of a name that are shown.
    private static let nameLimit = 64

    private let meaningless: Set<ByteString>
    private(set) var losses: [ImportLoss] = []

    /// - Parameter meaningless: The names of the parts to leave out in silence.
    init(besides meaningless: Set<ByteString>) {
        self.meaningless = meaningless
    }

    /// Notes a part that is lost.
    func note(_ loss: ImportLoss) {
        if !losses.contains(loss) {
            losses.append(loss)
        }
    }

    /// Notes a part with a name, unless it has no meaning. The name is one of the format's, and no content.
    func note(_ name: ByteString) {
        if !meaningless.contains(name) {
            let text = name.cut(to: UnreadParts.nameLimit).description
            note(.unread(String(text.filter { $0 >= " " && $0 != "\u{7F}" })))
        }
    }
}

extension JSONReader {
    /// Reads the members of an object that are not `null`, nothing of anything else. Members with content that the
    /// closure does not read, or that are of another kind than it expects, are noted.
    mutating func readMembers(
        _ unread: UnreadParts, _ body: (ByteString, inout JSONReader) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        guard try kind == .object else {
            return
        }
        try readObject { name, reader throws(KeychainError) in
            guard try !reader.readNull() else {
                return
            }
            let start = reader.offset
            let isExpected = try reader.readExpected { reader throws(KeychainError) in
                try body(name, &reader)
            }
            if !isExpected {
                unread.note(name)
            } else if reader.offset == start, try reader.skipContent() {
                unread.note(name)
            }
        }
    }

    /// Reads a value, and skips one of another kind than the closure expects.
    ///
    /// - Returns: Whether it was of that kind.
    mutating func readExpected(
        _ body: (inout JSONReader) throws(KeychainError) -> Void
    ) throws(KeychainError) -> Bool {
        let (start, depth) = (offset, depth)
        do throws(KeychainError) {
            try body(&self)
            return true
        } catch {
            guard error.status == .decode, error.reason.hasPrefix("unexpected JSON") else {
                throw error
            }
            goBack(to: start, depth: depth)
            try skip()
            return false
        }
    }

    /// - Throws: ``Status/decode`` if the next value is not an object.
    mutating func checkObject() throws(KeychainError) {
        if try kind != .object {
            try readObject { _, _ in }
        }
    }

    /// Skips a value.
    ///
    /// - Returns: Whether it has content: a text, a number other than 0, `true`, or an object or array with one of these.
    mutating func skipContent() throws(KeychainError) -> Bool {
        var hasContent = false
        switch try kind {
        case .null: _ = try readNull()
        case .bool: hasContent = try readBool()
        case .number: hasContent = try readNumber().withBytes { !$0.equals("0") }
        case .string: hasContent = try readSecret().count > 0
        case .array:
            try readArray { reader throws(KeychainError) in
                hasContent = try reader.skipContent() || hasContent
            }
        case .object:
            try readObject { _, reader throws(KeychainError) in
                hasContent = try reader.skipContent() || hasContent
            }
        }
        return hasContent
    }
}
