/// Suggests corrections for unknown names.
enum Spelling {
    /// Returns the most similar name, nil if all differ by more than a typing error.
    static func nearest(to word: String, in names: [String]) -> String? {
        let word = word.lowercased()
        let distances = names.map { (name: $0, distance: distance(word, $0.lowercased())) }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else {
            return nil
        }
        return (1...2).contains(best.distance) && best.distance * 2 < word.count ? best.name : nil
    }

    /// Counts the insertions, deletions, replacements and swaps of neighbouring letters.
    private static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one), Array(other))
        var rows = [Array(0...other.count)]
        for i in one.indices {
            var row = [i + 1]
            for j in other.indices {
                let isSame = one[i] == other[j]
                var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (isSame ? 0 : 1))
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                    best = min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}
