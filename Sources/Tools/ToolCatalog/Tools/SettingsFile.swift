/// A text file in which a tool's setup names Lanyard's helper.
package struct SettingsFile: Sendable {
    /// What the setup writes.
    package enum Kind: Sendable {
        /// Lines among others.
        case settings
        /// The whole file.
        case whole
        /// The whole file, a program.
        case script
    }

    /// When a setup writes a file.
    package enum Condition: Hashable, Sendable {
        /// If it exists.
        case existing
        /// If the program is missing.
        case without(program: String)
        /// If the program is installed. Without the programs of all such files, the first of these is written.
        case reader(program: String)
    }

    /// The path below the home folder, or an absolute one.
    package var path: String
    /// The effect for the tool's user.
    package let summary: String
    /// The lines, in which `HELPER` is the path of the helper.
    package var sections: [SettingsSection]
    /// What of the file they are.
    package let kind: Kind
    /// When it is written; nil for always.
    package let condition: Condition?
    /// The older name of the file: the tool reads that alone if it exists.
    package let olderName: String?

    /// Describes a file.
    ///
    /// - Parameter lines: Those outside of sections.
    package init(
        _ path: String, _ summary: String, _ sections: [SettingsSection] = [],
        lines: [String] = [], _ kind: Kind = .settings, if condition: Condition? = nil,
        olderName: String? = nil
    ) {
        self.path = path
        self.summary = summary
        self.sections =
            (lines.isEmpty ? [] : [SettingsSection(header: nil, lines: lines)]) + sections
        self.kind = kind
        self.condition = condition
        self.olderName = olderName
    }

    /// Describes a shell script that runs a helper, for tools that look for a program by its name or give it no arguments.
    package init(
        script path: String, _ summary: String, running command: String = "HELPER",
        if condition: Condition? = nil
    ) {
        self.init(
            path, summary, lines: ["#!/bin/sh", "exec \(command) \"$@\""], .script, if: condition)
    }
}

/// Lines of a tool's text file that name Lanyard, and the section that they belong to.
package struct SettingsSection: Hashable, Sendable {
    /// The line that begins the section, such as `[registry]`; nil for the lines before the first section.
    package let header: String?
    /// The lines.
    package let lines: [String]

    /// Creates a section with these lines.
    package init(header: String?, lines: [String]) {
        self.header = header
        self.lines = lines
    }
}
