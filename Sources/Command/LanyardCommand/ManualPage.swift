internal import ArgumentParser
internal import LanyardConfiguration
internal import Glibc
internal import KeychainServices
internal import LinuxSystem
internal import LanyardPrompting

/// The man page of a command, which `lanyard help` shows.
struct ManualPage: Equatable {
    /// The page's name, for example `lanyard-import`.
    let name: String

    /// - Parameter words: The words after `lanyard`: a command, by any of its names, and what follows.
    /// - Returns: nil if the first word is no command.
    init?(ofCommand words: some Collection<String>) {
        let command = LanyardCommand.configuration.subcommands.first { $0.isNamed(words.first) }
        guard let command = command?.configuration.commandName else {
            return nil
        }
        name = "lanyard-\(command)"
    }

    /// Replaces this program with man(1), which shows the page.
    ///
    /// Returns if that is not possible: without a terminal, without man, or if the page is not installed.
    func show() throws(KeychainError) {
        guard try ManualPage.canPage, let file = ManualPage.installedFile(name),
            let program = try programPath("man")
        else {
            return
        }
        // The page is given as a file: another version's page may come first on the manual's path.
        do throws(SystemCallError) {
            try ProgramReplacement(program, ["man", file]).execute()
        } catch {
            // The help is shown instead.
        }
    }

    /// Returns the path of the page that is installed with the running program; nil if there is none.
    static func installedFile(_ name: String) -> String? {
        ["\(name).1", "\(name).1.gz"].lazy
            .compactMap { Installation()?.file("share/man/man1/\($0)") }.first
    }

    /// Returns the end of a help text, which names the page of its command; empty for any other text.
    static func line(forHelp text: String) -> String {
        let start = "USAGE: lanyard "
        guard text.hasPrefix("OVERVIEW: "),
            let usage = text.split(separator: "\n").first(where: { $0.hasPrefix(start) })
        else {
            return ""
        }
        let words = usage.dropFirst(start.count).split(separator: " ").map(String.init)
        guard let page = ManualPage(ofCommand: words) else {
            return "\nMANUAL: lanyard(1)\n"
        }
        // That of another package may not be installed.
        let isMissing = installedFile("lanyard") != nil && installedFile(page.name) == nil
        return "\nMANUAL: \(isMissing ? "lanyard" : page.name)(1), or lanyard help \(words[0])\n"
    }

    /// Whether a pager can show a text and get keys: otherwise it could wait forever.
    private static var canPage: Bool {
        get throws(KeychainError) {
            guard isatty(0) == 1, isatty(1) == 1,
                try Environment.value("LANYARD_NO_PROMPT") == nil
            else {
                return false
            }
            return try Environment.value("TERM") ?? "dumb" != "dumb"
        }
    }
}
