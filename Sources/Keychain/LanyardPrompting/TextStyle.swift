/// A style that highlights a text on a terminal. The words alone have to say as much.
public enum TextStyle: Sendable {
    case plain
    /// The names of the columns.
    case heading
    /// A check that passed.
    case good
    /// A warning.
    case cautious
    /// An error, or a state that needs attention, such as an expired password.
    case alarming

    /// Returns the text with the escape sequences for this style around it: ECMA-48, section 8.3.117 (SGR).
    public func applied(to text: String) -> String {
        switch self {
        case .plain: text
        case .heading: "\u{1B}[2m\(text)\u{1B}[0m"
        case .good: "\u{1B}[32m\(text)\u{1B}[0m"
        case .cautious: "\u{1B}[33m\(text)\u{1B}[0m"
        case .alarming: "\u{1B}[31m\(text)\u{1B}[0m"
        }
    }
}
