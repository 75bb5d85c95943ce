package import KeychainServices

/// One entry of a file in which another program stores its logins.
package struct ImportRecord: Sendable {
    /// Gets each entry of a file or of another source.
    package typealias Body = (ImportRecord) throws(KeychainError) -> Void

    /// The result of an entry in the keychain.
    package enum Content: Sendable {
        /// An item in the access group that its tool uses, with any dates of the entry and its secret in
        /// the format of that group.
        case item(NewItem)
        /// Nothing, for a short reason that repeats nothing of the entry: Lanyard can't store its kind, or it
        /// has no secret. An entry without one has nothing for others to read.
        case skipped(reason: String, hasSecret: Bool = true)
        /// Nothing, although Lanyard stores its kind: it could not be read, something that the user can change
        /// is in the way, or it differs from an earlier entry for the same place.
        case failed(KeychainError)
        /// Nothing: an earlier entry of the file is for the same place, and either the same or the one that
        /// the file's own tool uses. One that differs stays in the file: its secret may be nowhere else.
        case shadowed(isSame: Bool)
        /// Not an entry of its own: a lost part of the one before, which became an item. With its ranges, the entry
        /// stays in the file.
        case without(ImportLoss)

        /// Returns a failed entry with a secret whose form can't be read.
        static func unreadable(_ reason: String) -> Content {
            .failed(KeychainError(.param, reason))
        }
    }

    /// An entry's position. Few positions are shown, and only those become a text.
    package enum Position: Sendable {
        case line(Int)
        case other(String)
    }

    /// The entry's position.
    package let position: Position
    /// The bytes of the file to remove with the entry, ascending; the rest is a valid file again. Empty if single
    /// entries can't be removed.
    package let ranges: [Range<Int>]
    /// The entry's result in the keychain.
    package let content: Content

    /// The entry's position for users: `line 3`, `entry 17`. It contains nothing of the entry itself.
    package var place: String { position.description }

    /// Creates an entry.
    package init(place: String, range: Range<Int>?, content: Content) {
        self.init(position: .other(place), ranges: range.map { [$0] } ?? [], content: content)
    }

    /// Creates an entry on a line of its own; the first line is 1.
    package init(line: Int, range: Range<Int>?, content: Content) {
        self.init(line: line, ranges: range.map { [$0] } ?? [], content: content)
    }

    /// Creates an entry on several lines, of which the first one counts.
    package init(line: Int, ranges: [Range<Int>], content: Content) {
        self.init(position: .line(line), ranges: ranges, content: content)
    }

    /// Returns the entry for a file with further bytes before its text, which go with the first one.
    func moved(by count: Int) -> ImportRecord {
        let ranges = ranges.map { range in
            (range.lowerBound == 0 ? 0 : range.lowerBound + count)..<range.upperBound + count
        }
        return ImportRecord(position: position, ranges: ranges, content: content)
    }

    private init(position: Position, ranges: [Range<Int>], content: Content) {
        self.position = position
        self.ranges = ranges
        self.content = content
    }
}

extension ImportRecord.Position {
    /// Returns the position in a file without some of its lines.
    ///
    /// - Parameter removedLines: Their numbers, ascending.
    func after(_ removedLines: [Int]) -> ImportRecord.Position {
        guard case .line(let number) = self else {
            return self
        }
        // A search through all of them would take long in a file with many.
        var (before, end) = (0, removedLines.count)
        while before < end {
            let middle = (before + end) / 2
            if removedLines[middle] < number {
                before = middle + 1
            } else {
                end = middle
            }
        }
        return .line(number - before)
    }
}

extension ImportRecord.Position: CustomStringConvertible {
    /// For users.
    package var description: String {
        switch self {
        case .line(let number): "line \(number)"
        case .other(let place): place
        }
    }
}
