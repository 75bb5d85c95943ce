internal import PlainTextFormats

extension [PlainTextValue] {
    /// Returns the values whose bytes begin in a range. They have to be in the order of the file.
    func within(_ range: Range<Int>) -> ArraySlice<PlainTextValue> {
        var start = startIndex
        var end = endIndex
        while start < end {
            let middle = (start + end) / 2
            if self[middle].range.lowerBound < range.lowerBound {
                start = middle + 1
            } else {
                end = middle
            }
        }
        return self[start...].prefix { $0.range.lowerBound < range.upperBound }
    }
}
