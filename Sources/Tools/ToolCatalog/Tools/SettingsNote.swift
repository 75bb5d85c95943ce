/// What a user should know besides the changes of a setup.
package struct SettingsNote: Sendable, ExpressibleByStringLiteral {
    /// When it is true.
    package enum Condition: Sendable {
        /// If a variable is not set.
        case unset(String)
        /// For root, if a variable is not set.
        case root(unset: String)
        /// If the shell does not find a script of the setup by its name.
        case hiddenScript
        /// Of each file with a line, outside of sections, that starts so.
        case line(String)
    }

    /// The text, in which `FILE` is the path of the file.
    package let text: String
    /// When it is true; nil for always.
    package let condition: Condition?

    /// Creates a note.
    package init(_ text: String, if condition: Condition?) {
        self.text = text
        self.condition = condition
    }

    package init(stringLiteral text: String) {
        self.init(text, if: nil)
    }
}
