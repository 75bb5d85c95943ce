// The searches of _StringProcessing, which Embedded Swift does not have.
extension StringProtocol {
    /// Returns where a text is first, compared byte by byte.
    func firstRange(of text: String) -> Range<String.Index>? {
        var start = utf8.startIndex
        while true {
            let rest = utf8[start...]
            if rest.starts(with: text.utf8) {
                return start..<rest.index(start, offsetBy: text.utf8.count)
            }
            guard start < utf8.endIndex else {
                return nil
            }
            utf8.formIndex(after: &start)
        }
    }

    /// Returns whether a text is in this one, compared byte by byte.
    func contains(_ text: String) -> Bool { firstRange(of: text) != nil }
}
