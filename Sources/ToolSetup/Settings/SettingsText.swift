/// A text file of lines with sections that begin with a line in brackets: INI, TOML and their like. Bytes that are not
/// UTF-8 remain.
struct SettingsText {
    private var lines: [[UInt8]]

    init(_ bytes: [UInt8]) {
        lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
        if lines.last == [] {
            lines.removeLast()
        }
    }

    /// The bytes, whose last line is complete.
    var bytes: [UInt8] { lines.flatMap { $0 + [0x0A] } }

    /// Returns the lines of a section without its header and without white space at their ends.
    func lines(of header: String?) -> [String] {
        lines[range(of: header) ?? 0..<0].map(SettingsText.trimmed)
    }

    /// Adds the missing lines at the end of a section, which is made if it is missing.
    mutating func add(_ section: SettingsSection) {
        let present = lines(of: section.header)
        let missing = section.lines.filter { !present.contains($0) }.map { Array($0.utf8) }
        if let header = section.header, range(of: header) == nil {
            let isSeparate = lines.last?.allSatisfy(\.isBlank) ?? true
            lines += (isSeparate ? [] : [[]]) + [Array(header.utf8)] + missing
        } else {
            var end = range(of: section.header)?.upperBound ?? 0
            while end > 0, lines[end - 1].allSatisfy(\.isBlank) {
                end -= 1
            }
            lines.insert(contentsOf: missing, at: end)
        }
    }

    /// Removes the lines of a section, and its header if nothing else follows that.
    mutating func remove(_ section: SettingsSection) {
        guard let range = range(of: section.header) else {
            return
        }
        let rest = lines[range].filter { !section.lines.contains(SettingsText.trimmed($0)) }
        let isEmpty = section.header != nil && rest.joined().allSatisfy(\.isBlank)
        lines.replaceSubrange(
            isEmpty ? range.lowerBound - 1..<range.upperBound : range,
            with: isEmpty ? [] : Array(rest))
    }

    private func range(of header: String?) -> Range<Int>? {
        var start = 0
        if let header {
            guard let place = lines.firstIndex(where: { SettingsText.trimmed($0) == header }) else {
                return nil
            }
            start = place + 1
        }
        let end = lines[start...].firstIndex { line in
            line.first { !$0.isBlank } == UInt8(ascii: "[")
        }
        return start..<(end ?? lines.count)
    }

    private static func trimmed(_ line: [UInt8]) -> String {
        String(
            decoding: line.trimmingPrefix(while: \.isBlank).trimmingSuffix(\.isBlank), as: UTF8.self
        )
    }
}
