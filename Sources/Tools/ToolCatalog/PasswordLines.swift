/// The lines of libpq's password file, of which the first that matches counts.
package struct PasswordLines: Sendable {
    /// The place of each, by host, port, database and user: nil for any.
    private var lines: [[String?]: Range<Int>] = [:]

    /// Creates none.
    package init() {}

    /// Adds a line unless an earlier one is for all that it is for: libpq never uses it.
    ///
    /// - Parameters:
    ///   - scope: Host, port and database as the file has them, nil for any.
    ///   - user: The user, nil for any.
    ///   - place: Its bytes in the file.
    /// - Returns: The place of the earlier line, nil if it was added.
    package mutating func add(
        _ scope: String?, user: String?, at place: Range<Int>
    ) -> Range<Int>? {
        let fields = PostgreSQLTarget.fields(scope ?? "*:*:*").map { $0.isAny ? nil : $0.text }
        guard fields.count == 3 else {
            return nil
        }
        let line = fields + [user]
        // A hash for each choice of fields: a search through all lines would take long in a file with many.
        for choice in 0..<(1 << line.count) {
            let wider = line.enumerated().map { choice >> $0.offset & 1 == 1 ? nil : $0.element }
            if let earlier = lines[wider] {
                return earlier
            }
        }
        lines[line] = place
        return nil
    }
}
