import Foundation
import Testing

/// What users see on the first day, in the order of that day. The screens are kept in Screens, where
/// they can be read; `LANYARD_KEEP_SCREENS=1` has them written anew.
@Suite(.needs(.git, .python), .timeLimit(.minutes(10)))
struct ScreenTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    @Test func theFirstDay() async throws {
        // Of the tools git alone is there, as on a server that is new.
        _ = try await home.shell(
            #"mkdir "$HOME/bin"; for tool in git sh stty; do ln -s "$(command -v "$tool")" "$HOME/bin/"; done"#
        )
        _ = try home.write(
            """
            https://ada:hunter2-1@git.example.com
            https://ada:hunter2-2@git.example.com
            https://bob:hunter2%403@git.example.com:8443/team/notes.git
            not a login

            """, to: "home/.git-credentials")
        _ = try home.write(
            """
            name,url,username,password,note
            Bank,https://bank.example.com/login,ada,hunter2-4,
            Mail,https://mail.example.com,ada@example.com,hunter2-5,the old one
            Mail,https://mail.example.com,ada@example.com,hunter2-6,
            Nothing,https://nothing.example.com,ada,,

            """, to: "home/passwords.csv")
        try await expect(
            "setup", "lanyard setup",
            [
                .sees("[Y/n] "), .types("y\n"), .sees("remove the plain text? [Y/n] "),
                .types("y\n"),
            ])
        try await expect("import", "lanyard import csv passwords.csv")
        try await expect("list", "lanyard list", columns: 80)
        try await expect("doctor", "lanyard doctor")
        try await expect("setup-undo", "lanyard setup --undo")
        try await expect("doctor-after-undo", "lanyard doctor")
    }

    /// Runs a command at a terminal, and compares what is on it in the end with what is kept.
    ///
    /// - Parameter columns: Wide, as the home folder's path is of another length elsewhere.
    private func expect(
        _ name: String, _ command: String, _ steps: [Dialogue.Step] = [], columns: Int = 1000,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let session = try await Dialogue(
            home: home,
            variables: [
                "PATH": "\(home.path)/home/bin:\(try Programs.folder())", "LANYARD_HOME": nil,
                "GIT_CONFIG_GLOBAL": nil, "NO_COLOR": "1", "TERM": "xterm",
                "COLUMNS": "\(columns)", "DBUS_SESSION_BUS_ADDRESS": nil,
            ]
        ).run("cd \"$HOME\" && \(command)", steps: steps)
        let shown =
            "$ \(command)\n" + asOfAnybody(session.shown) + "status \(session.status)\n"
        #expect(!shown.contains("hunter2"), sourceLocation: sourceLocation)
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "Screens/\(name).txt")
        if ProcessInfo.processInfo.environment["LANYARD_KEEP_SCREENS"] != nil {
            try Data(shown.utf8).write(to: file)
        }
        let kept = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(shown == kept, sourceLocation: sourceLocation)
    }

    /// Without what differs from one machine and one minute to the next.
    private func asOfAnybody(_ shown: String) -> String {
        shown.replacing("\r\n", with: "\n")
            .replacing("\(home.path)/home", with: "/home/ada")
            .replacing((try? Programs.folder()) ?? "", with: "/usr/local/bin")
            .replacing(/git [0-9]+\.[0-9.]+/, with: "git 2.N")
            .replacing(/[0-9]+ s( ago)?\b/, with: "now")
            // An older git is worth a note.
            .replacing(/note     git is [0-9.]+ \[git-old\]\n(         [^\n]*\n)*/, with: "")
            .replacing("ok       git's configuration\n", with: "")
            .replacing(/[0-9] notes?/, with: "notes")
    }
}
