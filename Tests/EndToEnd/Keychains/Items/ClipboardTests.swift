import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard get --clipboard`, with scripts for the programs of a desktop.
@Suite(.timeLimit(.minutes(3)))
struct ClipboardTests {
    let home: ScratchHome
    /// What the clipboard has.
    private let content: String
    private let variables: [String: String?]

    /// The kinds, the variable that a session of it has, and the programs that write and read it.
    static let kinds = [
        ("wayland", "WAYLAND_DISPLAY", "wl-copy", "wl-paste"),
        ("x11", "DISPLAY", "xclip", "xclip"),
    ]

    init() async throws {
        home = try ScratchHome()
        content = "\(home.path)/clipboard"
        try await home.set("x", "ada", secret: "s3cret\"ä")
        let script = """
            #!/bin/sh
            echo "${0##*/} $*" >>"$CLIPBOARD.calls"
            case "${0##*/} $*" in
            wl-copy* | *-in) exec cat >"$CLIPBOARD" ;;
            *) exec cat "$CLIPBOARD" ;;
            esac
            """
        for name in ["wl-copy", "wl-paste", "xclip"] {
            _ = try home.writeAtHome(script, to: "bin/\(name)", mode: 0o755)
        }
        let bin = try home.writeAtHome(script, to: "bin/unused", mode: 0o755)
        let folder = URL(filePath: bin).deletingLastPathComponent().path
        variables = [
            "PATH": "\(folder):\(try await home.pathWith())", "CLIPBOARD": content,
            "DISPLAY": nil, "WAYLAND_DISPLAY": nil, "SSH_CONNECTION": nil, "SSH_TTY": nil,
        ]
    }

    private func lanyard(
        _ arguments: [String], input: String = "", with more: [String: String?] = [:]
    ) async throws -> Outcome {
        try await home.command(
            "lanyard", arguments, input: Array(input.utf8),
            variables: variables.merging(more) { $1 }
        ).run()
    }

    @Test(arguments: kinds)
    func itIsCopiedAndCleared(
        kind: String, variable: String, writer: String, reader: String
    ) async throws {
        let copied = try await lanyard(["get", "-c", "x"], with: [variable: "0"])
        expectAnswer(copied, "")
        #expect(try home.text("clipboard") == "s3cret\"ä")
        #expect(try home.text("clipboard.calls").hasPrefix("\(writer) "))
        // A process of Lanyard does it after 45 seconds.
        let end = ContinuousClock.now + .seconds(75)
        while try home.text("clipboard") != "", ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(250))
        }
        #expect(try home.text("clipboard") == "")
        let calls = try home.text("clipboard.calls")
        #expect(calls.contains("\n\(reader) ") && !calls.contains("s3cret"), "\(calls)")
    }

    /// What the user has copied meanwhile stays.
    @Test(arguments: kinds)
    func somethingElseStays(
        kind: String, variable: String, writer: String, reader: String
    ) async throws {
        for other in ["other", "s3cret", "s3cret\"ä\n", String(repeating: "x", count: 60_000)] {
            _ = try home.write(other, to: "clipboard")
            expectAnswer(
                try await lanyard(
                    ["keychain", "clear-clipboard", kind, "--after", "0"], input: "s3cret\"ä"), ""
            )
            #expect(try home.text("clipboard") == other)
        }
        _ = try home.write("s3cret\"ä", to: "clipboard")
        expectAnswer(
            try await lanyard(
                ["keychain", "clear-clipboard", kind, "--after", "0"], input: "s3cret\"ä"), "")
        #expect(try home.text("clipboard") == "")
    }

    /// The program's own line says why.
    @Test func aProgramThatSaysWhy() async throws {
        let line = "Error: Can't open display: :9"
        _ = try home.writeAtHome(
            "#!/bin/sh\necho \"\(line)\" >&2; exit 1\n", to: "bin/xclip", mode: 0o755)
        let outcome = try await lanyard(["get", "-c", "x"], with: ["DISPLAY": ":9"])
        #expect(outcome.status == 53 && outcome.output.isEmpty, "\(outcome)")
        #expect(
            outcome.errorText.contains("xclip can't copy to the clipboard: \(line)\n"),
            "\(outcome)")
    }

    @Test(arguments: ["exit 3", "sleep 60"])
    func aProgramThatFails(script: String) async throws {
        _ = try home.writeAtHome("#!/bin/sh\n\(script)\n", to: "bin/wl-copy", mode: 0o755)
        let start = ContinuousClock.now
        let outcome = try await lanyard(["get", "-c", "x"], with: ["WAYLAND_DISPLAY": "w"])
        #expect(outcome.status == 53 && outcome.output.isEmpty, "\(outcome)")
        #expect(
            outcome.errorText.hasPrefix("lanyard: error: wl-copy can't copy to the clipboard"),
            "\(outcome)")
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test func withoutAClipboard() async throws {
        let outcome = try await lanyard(["get", "-c", "x"])
        #expect(outcome.status == 53 && outcome.output.isEmpty, "\(outcome)")
        #expect(
            outcome.errorText == """
                lanyard: error: there is no display here, and no terminal with a clipboard
                lanyard: hint: leave -c out to print the secret

                """)
        for (variable, package) in [("DISPLAY", "xclip"), ("WAYLAND_DISPLAY", "wl-clipboard")] {
            let missing = try await lanyard(
                ["get", "-c", "x"], with: [variable: "0", "PATH": try Programs.folder()])
            #expect(
                missing.errorText == """
                    lanyard: error: there is no clipboard
                    lanyard: hint: install the package \(package)

                    """)
        }
        let both = try await lanyard(["get", "-c", "--json", "x"], with: ["DISPLAY": ":0"])
        #expect(both.status == 64 && both.output.isEmpty, "\(both)")
    }

    /// Over SSH, and where there is no display, as in a container.
    @Test(.needs(.python), arguments: [["SSH_TTY": "/dev/pts/9"], [:]])
    func theTerminal(session: [String: String?]) async throws {
        var variables = variables.merging(session) { $1 }
        variables["TERM"] = "xterm"
        let session = try await Dialogue(home: home, variables: variables).run("lanyard get -c x")
        let text = Data("s3cret\"ä".utf8).base64EncodedString()
        #expect(session.status == 0, "\(session)")
        #expect(session.shown.hasPrefix("\u{1B}]52;c;\(text)\u{07}"), "\(session)")
        #expect(
            session.shown.contains(
                "sent to the terminal's clipboard; not every terminal takes it"), "\(session)")
    }

    /// Nothing that such a terminal would show as text.
    @Test(.needs(.python), arguments: ["dumb", "linux", nil])
    func aTerminalWithoutSequences(
        _ kind: String?
    ) async throws {
        var variables = variables
        variables["SSH_TTY"] = "/dev/pts/9"
        variables["TERM"] = .some(kind)
        let session = try await Dialogue(home: home, variables: variables).run("lanyard get -c x")
        #expect(session.status == 53, "\(session)")
        #expect(
            session.shown.hasPrefix("lanyard: error: there is no display here, and no terminal"),
            "\(session)")
    }
}
