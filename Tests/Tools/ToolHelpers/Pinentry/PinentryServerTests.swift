import KeychainServices
import StoreConformance
import Testing

@testable import ToolHelpers

@Suite("the conversation with gpg-agent")
struct PinentryServerTests {
    private let keychain = Keychain(inMemoryFor: .gpg)
    private static let keygrip = "0123456789ABCDEF0123456789ABCDEF01234567"

    private func store(_ passphrase: String) throws {
        var name = ItemAttributes()
        name.service = ByteString(Self.keygrip.lowercased())
        _ = try keychain.add(
            .genericPassword, try ToolFormat.gpg.attributes(name), secret: Secret(passphrase))
    }

    private func session(_ lines: [String], answers: [String] = []) throws -> ScriptedSession {
        let session = ScriptedSession("pinentry-lanyard", ["--display", ":0"], in: keychain)
        session.input = Array(lines.joined(separator: "\n").utf8)
        session.pinentryAnswers = answers
        try ToolHelper.gpg.run(session)
        return session
    }

    /// Returns what follows the greeting.
    private func replies(_ lines: String..., answers: [String] = []) throws -> [String] {
        let output = try session(lines, answers: answers).output
        #expect(output.hasPrefix("OK ") && output.hasSuffix("\n"))
        return output.split(separator: "\n").dropFirst().map(String.init)
    }

    @Test("a stored passphrase, encoded; no pinentry asks")
    func stored() throws {
        try store("50% hunter2")
        let session = try session([
            "OPTION ttyname=/dev/pts/1", "SETDESC Please%0Atype", "SETPROMPT Passphrase:",
            "SETKEYINFO n/\(Self.keygrip)", "GETPIN", "BYE", "GETPIN",
        ])
        #expect(session.output.hasSuffix("\nOK\nD 50%25 hunter2\nOK\nOK closing connection\n"))
        #expect(session.pinentryCommands.isEmpty)
    }

    @Test("CR and LF end lines, too, as the manual of Assuan says")
    func carriageReturns() throws {
        try store("hunter2")
        #expect(
            try replies("SETKEYINFO n/\(Self.keygrip)\r", "\r", "GETPIN\r", "BYE\r")
                == ["OK", "D hunter2", "OK", "OK closing connection"])
    }

    @Test("a wrong passphrase is given once, and then the user is asked with all of the dialog")
    func wrong() throws {
        try store("wrong")
        let session = try session(
            [
                "OPTION ttyname=/dev/pts/1", "OPTION allow-external-password-cache", "SETDESC Key",
                "SETKEYINFO n/\(Self.keygrip)", "GETPIN", "SETERROR Bad Passphrase (try 2 of 3)",
                "GETPIN", "SETERROR", "GETPIN",
            ], answers: ["typed", "again"])
        #expect(
            session.output.hasSuffix("D wrong\nOK\nOK\nD typed\nOK\nOK\nD again\nOK\n"),
            "\(session.output)")
        #expect(
            session.pinentryCommands == [
                [
                    "OPTION ttyname=/dev/pts/1", "SETDESC Key",
                    "SETERROR Bad Passphrase (try 2 of 3)", "GETPIN",
                ],
                ["OPTION ttyname=/dev/pts/1", "SETDESC Key", "SETERROR", "GETPIN"],
            ])
    }

    @Test("no passphrase after an error of another question")
    func error() throws {
        try store("stored")
        #expect(
            try replies(
                "SETKEYINFO n/\(Self.keygrip)", "SETERROR Bad PIN", "GETPIN", answers: ["typed"])
                == ["OK", "OK", "D typed", "OK"])
    }

    @Test("every other question is the user's", arguments: ["n/00", "--clear", "u/S0123", ""])
    func others(key: String) throws {
        try store("stored")
        #expect(
            try replies("SETKEYINFO \(key)", "GETPIN", answers: ["typed"])
                == ["OK", "D typed", "OK"])
        #expect(
            try replies(
                "SETKEYINFO n/\(Self.keygrip)", "SETKEYINFO \(key)", "GETPIN", "RESET",
                answers: ["typed"]) == ["OK", "OK", "D typed", "OK", "OK"])
    }

    @Test("an answer of several lines, and an empty one")
    func longAnswers() throws {
        let long = String(repeating: "ab\n%", count: 250)
        let lines = try replies("GETPIN", answers: [long])
        #expect(lines.count > 2 && lines.allSatisfy { $0.utf8.count <= 998 })
        let data = lines.dropLast().map { $0.dropFirst(2) }.joined()
        #expect(data.replacing("%0A", with: "\n").replacing("%25", with: "%") == long)
        #expect(try replies("GETPIN", answers: [""]) == ["OK"])
    }

    @Test("errors: canceled, not confirmed, no pinentry")
    func errors() throws {
        #expect(try replies("GETPIN", answers: ["83886179"]) == ["ERR 83886179 pinentry failed"])
        #expect(
            try replies("CONFIRM --one-button", "MESSAGE", answers: ["83886194", ""])
                == ["ERR 83886194 pinentry failed", "OK"])
        let session = try session(["GETPIN"])
        #expect(session.output.hasSuffix("\nERR 83886166 no pinentry\n"))
        #expect(session.notes == ["there is no pinentry that can ask"])
    }

    @Test("an option replaces its last value; options and lines have limits")
    func limits() throws {
        let session = try session(
            ["OPTION lc-ctype=C", "OPTION lc-ctype=de", "OPTION grab", "OPTION grab", "GETPIN"],
            answers: ["typed"])
        #expect(session.pinentryCommands == [["OPTION lc-ctype=de", "OPTION grab", "GETPIN"]])
        let many = try self.session((0..<101).map { "OPTION o\($0)" } + ["OPTION o7=1"]).output
            .split(separator: "\n")
        #expect(many.suffix(3) == ["OK", "ERR 83886262 too many options", "OK"])
        let line = "SETDESC \(String(repeating: "x", count: 992))"
        #expect(try replies(line, "\(line)x") == ["OK", "ERR 83886343 line too long"])
    }

    @Test("information, help and unknown commands")
    func information() throws {
        #expect(
            try replies("GETINFO pid", "GETINFO version", "getinfo flavor", "GETINFO ttyinfo")
                == [
                    "D 4711", "OK", "D 1.0.0", "OK", "D lanyard", "OK",
                    "ERR 83886360 unknown parameter",
                ])
        #expect(
            try replies("NOP", "", "# comment", "SETREPEAT", "SETQUALITYBAR Quality:")
                == ["OK", "ERR 83886355 unknown command", "ERR 83886355 unknown command"])
        let help = try replies("HELP")
        #expect(help.contains("# GETPIN") && help.last == "OK")
    }

    @Test("a keygrip in the form of `lanyard set`")
    func names() throws {
        var name = ItemAttributes()
        for text in ["", "0123", "G123456789ABCDEF0123456789ABCDEF01234567"] {
            name.service = ByteString(text)
            let error = #expect(throws: KeychainError.self) { try ToolFormat.gpg.attributes(name) }
            #expect(error?.hint == "gpg --list-secret-keys --with-keygrip")
        }
        #expect(throws: KeychainError.self) { try ToolFormat.gpg.check(Secret("a\nb")) }
    }
}
