/// A style that highlights a text on a terminal.
enum TextStyle {
    case plain
    /// The names of the columns.
    case heading
    /// A state that needs attention, such as an expired password.
    case alarming

    /// Returns the text with the escape sequences for this style around it: ECMA-48, section 8.3.117 (SGR).
    func applied(to text: String) -> String {
        switch self {
        case .plain: text
        case .heading: "\u{1B}[2m\(text)\u{1B}[0m"
        case .alarming: "\u{1B}[31m\(text)\u{1B}[0m"
        }
    }
}
