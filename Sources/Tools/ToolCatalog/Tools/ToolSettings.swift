/// What the setup of a tool writes into its text files.
package struct ToolSettings: Sendable {
    /// The tool, as users know it.
    package let title: String
    /// Where it is set up.
    package let place: String
    /// What it is set up for; nil if that is the tool as a whole.
    package let argument: Argument?
    /// The files; those of an argument are made by code of the tool's own.
    package let files: [SettingsFile]
    /// Variables that may name no program but the helper.
    package let rivals: [String]
    /// What the user should know besides.
    package let notes: [SettingsNote]
    /// The variables that an import needs of the plain-text logins that the tool no longer reads; nil if it still reads
    /// them, most tools before they ask the helper.
    package let importVariables: [String]?

    /// Describes the setup of a tool.
    package init(
        _ title: String, place: String = "in its own configuration", argument: Argument? = nil,
        files: [SettingsFile] = [], rivals: [String] = [], notes: [SettingsNote] = [],
        importVariables: [String]? = nil
    ) {
        self.title = title
        self.place = place
        self.argument = argument
        self.files = files
        self.rivals = rivals
        self.notes = notes
        self.importVariables = importVariables
    }

    /// What a tool is set up for, each by its name.
    package struct Argument: Sendable {
        /// What each is, in errors, for example `vault ID`.
        package let word: String
        /// All of them, for the help.
        package let help: String
        /// An example.
        package let example: String
        /// The characters that a name may have, among those that files split at.
        package let allowed: String

        /// Describes an argument.
        package init(_ word: String, help: String, example: String, allowing allowed: String = "") {
            self.word = word
            self.help = help
            self.example = example
            self.allowed = allowed
        }

        /// Its name in the help.
        package var valueName: String { String(word.lowercased().map { $0 == " " ? "-" : $0 }) }
    }
}
