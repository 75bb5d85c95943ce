import Foundation
import Testing
import TestSupport

/// A shell at a terminal, in which a user types the beginnings of words and presses Tab.
enum CompletingShell: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case bash, zsh, fish

    var testDescription: String { rawValue }

    /// The command that starts it, without anybody's settings.
    private var command: String {
        switch self {
        case .bash: "bash --norc --noprofile -i"
        case .zsh: "zsh -f -i"
        case .fish: "fish --no-config --private -i"
        }
    }

    /// What makes it find the completions below a folder, as it does anyway where they are
    /// installed, and a prompt that can be waited for.
    private func setUp(_ share: String) -> String {
        switch self {
        case .bash: "PS1='rea''dy '; . '\(share)/bash-completion/completions/lanyard'\n"
        case .zsh:
            "fpath=('\(share)/zsh/site-functions' $fpath); autoload -Uz compinit; "
                + "compinit -D -u; PS1='rea''dy '\n"
        case .fish:
            "set -p fish_complete_path '\(share)/fish/vendor_completions.d'; "
                + "function fish_prompt; echo -n 'rea''dy '; end\n"
        }
    }

    /// What comes of lines that end in the middle of a word, once the tabulator was pressed: the words
    /// that the shell takes each for.
    func complete(
        _ lines: [String], in home: ScratchHome, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [[String]] {
        let share = "\(home.path)/completions/share"
        if !FileManager.default.fileExists(atPath: share) {
            try await home.shell(
                "\"$1\" \"$(command -v lanyard)\" \"$2\"",
                "\(Repository.path)/helpers/completions/generate",
                "\(home.path)/completions")
        }
        var steps: [Dialogue.Step] = [.asked("begin "), .types(setUp(share)), .asked("ready ")]
        for line in lines {
            // To the start of the line, and a command before it that shows its words.
            steps += [
                .types("\(line)\t"), .types("\u{1}printf '<%s>' \u{5}; echo ' shown'\n"),
                .asked("> shown"), .asked("ready "),
            ]
        }
        steps.append(.types("exit\n"))
        let session = try await Dialogue(
            home: home,
            variables: ["TERM": "xterm", "LC_ALL": "C.UTF-8", "HISTFILE": "", "SHELL": nil]
        ).run(
            "cd; printf 'begin '; \(command)", arguments: [], steps: steps,
            sourceLocation: sourceLocation)
        #expect(
            !session.shown.contains("passphrase"), "\(session)", sourceLocation: sourceLocation)
        #expect(!session.shown.contains("lanyard: "), "\(session)", sourceLocation: sourceLocation)
        return session.shown.matches(of: /((?:<[^<>\x1B\r\n]*>)+) shown/).map { match in
            match.1.dropFirst().dropLast()
                .split(separator: "><", omittingEmptySubsequences: false).map { String($0) }
        }
    }
}

extension Need {
    static let bash = Need(missing: "there is no bash") {
        try await succeeds("bash", "--version")
    }
    static let zsh = Need(missing: "there is no zsh") { try await succeeds("zsh", "--version") }
    static let fish = Need(missing: "there is no fish") { try await succeeds("fish", "--version") }
}
