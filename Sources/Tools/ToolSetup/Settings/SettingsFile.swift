/// A text file in which a tool's setup names lanyard's helper.
struct SettingsFile {
    let path: String
    /// The effect for the tool's user.
    let summary: String
    let sections: [SettingsSection]
    let style: FileStyle
    /// Whether the setup writes the whole file.
    let isWhole: Bool

    private init(
        _ path: String, _ summary: String, _ sections: [SettingsSection], _ style: FileStyle,
        isWhole: Bool
    ) {
        self.path = path
        self.summary = summary
        self.sections = sections
        self.style = style
        self.isWhole = isWhole
    }

    /// A file with settings.
    init(_ path: String, _ summary: String, _ sections: [SettingsSection]) {
        self.init(path, summary, sections, .secret, isWhole: false)
    }

    /// A file with lines of one section.
    init(_ path: String, _ summary: String, _ section: SettingsSection) {
        self.init(path, summary, [section])
    }

    /// A file with lines outside of sections.
    init(_ path: String, _ summary: String, lines: [String]) {
        self.init(path, summary, SettingsSection(header: nil, lines: lines))
    }

    /// A file of its own, with these lines alone.
    init(whole path: String, _ summary: String, lines: [String]) {
        self.init(
            path, summary, [SettingsSection(header: nil, lines: lines)], .secret, isWhole: true)
    }

    /// A shell script that runs a helper, for tools that look for a program by its name or give it no arguments.
    init(script path: String, _ summary: String, running command: String) {
        let lines = ["#!/bin/sh", "exec \(command) \"$@\""]
        self.init(
            path, summary, [SettingsSection(header: nil, lines: lines)], .program, isWhole: true)
    }
}
