internal import KeychainServices

extension GitConfigBlock {
    /// Returns a text without the lines of a block.
    ///
    /// If the user has changed some lines, it removes those next to lanyard's helper, even if the helper is
    /// now named by its path or name instead. A section with further variables keeps its header.
    ///
    /// - Parameter original: The text before the setup: its own mentions of lanyard remain.
    static func removing(
        _ block: [UInt8], from text: FileBytes, original: FileBytes = ""
    ) -> FileBytes {
        let lines = text.wholeLines
        let ours = FileBytes(block).wholeLines.map(\.trimmed)
        // The line of lanyard's own helper: without it, nothing here is ours.
        guard let anchor = ours.lastIndex(where: { $0.contains("lanyard".utf8) })
        else {
            return text
        }
        let before = original.wholeLines.map(\.trimmed)
        var anchors = lines.indices.filter { lines[$0].trimmed == ours[anchor] }
        if anchors.count <= before.count(where: { $0 == ours[anchor] }) {
            anchors = lines.indices.filter { index in
                let line = lines[index].trimmed
                return setsLanyard(line) && !before.contains(line)
            }
        }
        var best: Range<Int>?
        for index in anchors {
            var range = index..<index + 1
            var above = anchor
            while above > 0, range.lowerBound > 0,
                lines[range.lowerBound - 1].trimmed == ours[above - 1]
            {
                above -= 1
                range = range.lowerBound - 1..<range.upperBound
            }
            var below = anchor + 1
            while below < ours.count, range.upperBound < lines.count,
                lines[range.upperBound].trimmed == ours[below]
            {
                below += 1
                range = range.lowerBound..<range.upperBound + 1
            }
            if range.count >= best?.count ?? 0 {
                best = range
            }
        }
        guard let best else {
            return text
        }
        return FileBytes(
            joining: Array(
                lines[..<best.lowerBound] + kept(lines, best) + lines[best.upperBound...]))
    }

    /// Whether a line sets lanyard's helper, by its name or its path.
    private static func setsLanyard(_ line: FileBytes) -> Bool {
        guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else {
            return false
        }
        let key = String(decoding: line[..<sign], as: UTF8.self).lowercased()
        let value = String(decoding: line[(sign + 1)...], as: UTF8.self)
            .replacing("\\\\", with: "\\")
        return key.filter { !$0.isWhitespace } == "helper"
            && GitHelper(pattern: nil, value: FileBytes(value)).isLanyard
    }

    /// Returns the header among removed lines that the lines after them still need.
    private static func kept(
        _ lines: [FileBytes], _ range: Range<Int>
    ) -> ArraySlice<FileBytes> {
        let next = lines[range.upperBound...].map(\.trimmed).first { line in
            !line.isEmpty && line.first != UInt8(ascii: "#") && line.first != UInt8(ascii: ";")
        }
        guard let next, next.first != UInt8(ascii: "["),
            let header = lines[range].lastIndex(where: { $0.trimmed.first == UInt8(ascii: "[") })
        else {
            return []
        }
        return lines[header...header]
    }
}
