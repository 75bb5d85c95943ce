/// A text file in which a tool's setup names lanyard's helper.
struct SettingsFile {
    let path: String
    /// The effect for the tool's user.
    let summary: String
    let sections: [SettingsSection]
    let style: FileStyle

    /// A file with settings.
    init(_ path: String, _ summary: String, _ sections: [SettingsSection]) {
        self.path = path
        self.summary = summary
        self.sections = sections
        style = .secret
    }

    /// A file with lines of one section.
    init(_ path: String, _ summary: String, _ section: SettingsSection) {
        self.init(path, summary, [section])
    }

    /// A file with lines outside of sections.
    init(_ path: String, _ summary: String, lines: [String]) {
        self.init(path, summary, SettingsSection(header: nil, lines: lines))
    }

    /// A shell script that runs a helper, for tools that look for a program by its name.
    init(script path: String, _ summary: String, running helper: String) {
        self.path = path
        self.summary = summary
        sections = [
            SettingsSection(header: nil, lines: ["#!/bin/sh", "exec \(helper) \"$@\""])
        ]
        style = .program
    }
}
