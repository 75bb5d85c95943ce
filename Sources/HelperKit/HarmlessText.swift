/// A text in which nothing is a command to the terminal or puts the rest into another order: control
/// characters, separators of lines and those that turn the direction of writing are shown as `?`.
///
/// Names may come from anywhere, and a person decides by what is shown.
public func harmless(_ text: String) -> String {
    // Nearly all names are plain ASCII; to take one apart and put it together again takes long.
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
        return text
    }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmless($0) ? $0 : "?" }))
}

private func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E: true
    // Embeddings, overrides and isolates: Unicode Standard Annex 9, section 2.
    case 0x202A...0x202E, 0x2066...0x2069: false
    default:
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
