import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard help COMMAND` shows the command's page as man(1) does, and otherwise the short help.
@Suite(.needs(.python), .timeLimit(.minutes(10)))
struct HelpTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    /// Installs the program and a page in the home, and a program `man` that prints its argument.
    private func install(page: String = "lanyard-import.1") async throws {
        try await home.shell(
            """
            cd
            mkdir -p opt/bin opt/share/man/man1 man empty
            cp "$(command -v lanyard)" opt/bin/
            cp "$1/lanyard-import.1" opt/share/man/man1/
            case $2 in *.gz) gzip opt/share/man/man1/lanyard-import.1 ;; esac
            printf '%s\\n' '#!/bin/sh' 'echo "page $1"' >man/man
            chmod +x man/man
            """, ManExample.folder.path, page)
    }

    /// What `lanyard help` and the words print at a terminal.
    ///
    /// - Parameter variable: A variable for the program, and its value.
    private func help(_ words: String, _ variable: String = "") async throws -> String {
        let session = try await Dialogue(home: home, variables: ["TERM": "xterm"])
            .run("PATH=$HOME/man:$PATH \(variable) \"$HOME/opt/bin/lanyard\" help \(words)")
        #expect(session.status == 0, "\(session)")
        return session.shown.replacing("\r\n", with: "\n")
    }

    /// It may be that of a package that is not installed.
    @Test func namesNoMissingPage() async throws {
        try await install()
        let outcome = try await home.shell(
            """
            touch "$HOME/opt/share/man/man1/lanyard.1"
            for command in import secret-service; do "$HOME/opt/bin/lanyard" $command --help | tail -n 1; done
            """)
        expectAnswer(
            outcome,
            """
            MANUAL: lanyard-import(1), or lanyard help import
            MANUAL: lanyard(1), or lanyard help secret-service

            """)
    }

    @Test(arguments: ["lanyard-import.1", "lanyard-import.1.gz"])
    func showsThePage(_ file: String) async throws {
        try await install(page: file)
        let page = "page \(home.path)/home/opt/share/man/man1/\(file)\n"
        for words in ["import", "import csv"] {
            let shown = try await help(words)
            #expect(shown == page)
        }
    }

    @Test(arguments: ["TERM=dumb", "TERM=", "LANYARD_NO_PROMPT=1", "PATH=/nonexistent"])
    func showsTheHelpWithoutWhatThePageNeeds(_ variable: String) async throws {
        try await install()
        let shown = try await help("import", variable)
        #expect(shown.hasPrefix("OVERVIEW: "), "\(shown)")
    }

    @Test func showsTheHelpWithoutThePage() async throws {
        try await install()
        #expect(try await help("export").hasPrefix("OVERVIEW: "))
        #expect(try await help("").hasPrefix("OVERVIEW: "))
    }

    @Test func showsTheHelpIfManCannotRun() async throws {
        try await install()
        try await home.shell("printf '#!/nonexistent\\n' >\"$HOME/man/man\"")
        #expect(try await help("import").hasPrefix("OVERVIEW: "))
    }

    @Test func showsTheHelpElsewhereThanAtATerminal() async throws {
        try await install()
        #expect(try await help("import | cat").hasPrefix("OVERVIEW: "))
        #expect(try await help("import </dev/null").hasPrefix("OVERVIEW: "))
    }
}
