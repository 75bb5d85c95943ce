/// Returns the name that the user probably meant: one within one or two typing errors, or the only
/// one that begins with the typed text.
///
/// - Returns: nil if none is near, or several are equally near.
public func suggestion(for typed: String, among names: [String]) -> String? {
    let typed = Array(typed.lowercased().utf8.prefix(suggestionLimit))
    guard !typed.isEmpty else {
        return nil
    }
    let names = Set(names)
    let distances = names.map {
        (name: $0, distance: typingErrors(typed, Array($0.lowercased().utf8)))
    }
    let least = distances.map { $0.distance }.min() ?? .max
    let nearest = distances.filter { $0.distance == least }.map { $0.name }
    if least <= (typed.count < 5 ? 1 : 2), let name = nearest.first, nearest.count == 1 {
        return name
    }
    let longer = names.filter { typed.count > 1 && $0.lowercased().utf8.starts(with: typed) }
    return longer.count == 1 ? longer.first : nil
}

/// All names here are shorter.
private let suggestionLimit = 64

/// Returns how many letters are missing, extra, wrong or swapped with their neighbor: the distance
/// of Damerau and Levenshtein.
private func typingErrors(_ typed: [UInt8], _ name: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...name.count)
    for (row, letter) in typed.enumerated() {
        var current = [row + 1]
        for (column, other) in name.enumerated() {
            var least = min(last[column + 1] + 1, current[column] + 1)
            least = min(least, last[column] + (letter == other ? 0 : 1))
            if row > 0, column > 0, letter == name[column - 1], typed[row - 1] == other {
                least = min(least, beforeLast[column - 1] + 1)
            }
            current.append(least)
        }
        (beforeLast, last) = (last, current)
    }
    return last[name.count]
}
