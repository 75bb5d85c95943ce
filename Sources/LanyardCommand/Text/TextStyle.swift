/// How a text stands out on a terminal.
enum TextStyle {
    case plain
    /// What names the columns.
    case heading
    /// What has to be looked after, such as a password that has expired.
    case alarming

    /// The text with the sequences around it that give it this style: ECMA-48, section 8.3.117 (SGR).
    func applied(to text: String) -> String {
        switch self {
        case .plain: text
        case .heading: "\u{1B}[2m\(text)\u{1B}[0m"
        case .alarming: "\u{1B}[31m\(text)\u{1B}[0m"
        }
    }
}
