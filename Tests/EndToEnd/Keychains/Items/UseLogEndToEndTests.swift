import Foundation
import Glibc
import Testing
@testable import EndToEndRig

@Suite("The log of uses, by real programs", .serialized) struct UseLogEndToEndTests {
    let home: ScratchHome
    private let login = "protocol=https\nhost=example.com\nusername=ada\n"
    private var log: String { "\(home.data)/login.log" }

    init() throws {
        home = try ScratchHome()
    }

    private func switchOn() async throws {
        expectAnswer(try await home.lanyard("config", "set", "log", "true"), "")
    }

    /// What was done, to what, by which program for which one.
    private func uses() async throws -> [String] {
        try await home.json("log", "--json").elements.map { use in
            let use = use.members
            let programs = ["program", "for"].map { name in
                text(use[name]?.members["path"]).split(separator: "/").last ?? ""
            }
            let item = ["use", "group", "name", "account"].map { text(use[$0]) }
            return (item + programs.map(String.init)).joined(separator: " ")
        }
    }

    private func text(_ json: JSONText?) -> String {
        if case .string(let text) = json { text } else { "?" }
    }

    @Test func isOffByDefault() async throws {
        try await home.store("\(login)password=secret\n")
        try await home.expectGet(login, "username=ada\npassword=secret\n")
        #expect(try Snapshot(home.data).contents.keys.sorted() == ["login.keychain"])
        let outcome = try await home.lanyard("log")
        #expect(outcome.status == 0 && outcome.outputText == "", "\(outcome)")
        #expect(outcome.errorText.contains("lanyard config set log true"), "\(outcome)")
        try await home.set("backup", secret: "x")
        expectAnswer(try await home.lanyard("config", "set", "keychain.login.log", "true"), "")
        expectAnswer(try await home.lanyard("get", "backup"), "x\n")
        #expect(try await uses().count == 1)
        expectAnswer(try await home.lanyard("config", "set", "keychain.login.log", "off"), "")
        expectAnswer(try await home.lanyard("get", "backup"), "x\n")
        #expect(try await uses().count == 1)
    }

    @Test func gitAndTheCommandsWriteIt() async throws {
        try await switchOn()
        try await home.configureGit()
        for (operation, input) in [("approve", "\(login)password=secret\n"), ("fill", login)] {
            let outcome = try await home.command(
                "git", ["credential", operation], input: Array("\(input)\n".utf8)
            ).run()
            #expect(outcome.status == 0, "\(outcome)")
        }
        try await home.set("backup", "ada", secret: "x")
        expectAnswer(try await home.lanyard("get", "backup"), "x\n")
        expectAnswer(
            try await home.lanyard("exec", "--env", "KEY=backup", "--", "sh", "-c", "echo $KEY"),
            "x\n")
        expectAnswer(try await home.lanyard("remove", "backup"), "")
        _ = try await home.lanyard("list", "--json")
        let all = try await uses()
        #expect(
            all.prefix(2) == [
                "stored git example.com ada git-credential-lanyard git",
                "read git example.com ada git-credential-lanyard git",
            ])
        #expect(
            all.dropFirst(2).map { $0.split(separator: " ").prefix(5).joined(separator: " ") }
                == [
                    "stored login backup ada lanyard", "read login backup ada lanyard",
                    "read login backup ada lanyard", "deleted login backup ada lanyard",
                ])
        let lines = try await home.lanyard("log").outputText.split(separator: "\n")
        #expect(lines.count == all.count + 1 && lines[0].hasPrefix("TIME "))
        #expect(
            try await home.lanyard("log", "--since", "1h").outputText == lines.joined(
                separator: "\n") + "\n")
        expectAnswer(try await home.lanyard("log", "--since", "2100-01-01"), "")
        let sealed = try home.read(log)
        #expect(Data(sealed).range(of: Data("example.com".utf8)) == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: log)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test func aLockedKeychainHasOne() async throws {
        try await switchOn()
        try await home.set("backup", secret: "x")
        try await home.setPassphrase()
        _ = try await home.lanyard("lock", "--all")
        #expect(try await home.lanyard("get", "backup").status == 36)
        expectAnswer(try await home.lanyardUnlocked("get", "backup"), "x\n")
        expectAnswer(try await home.lanyard("remove", "backup"), "")
        #expect(try await uses().map { $0.prefix(4) } == ["stor", "read", "dele"])
    }

    /// A log that can't be written costs a warning.
    @Test func aFailureFailsNoRead() async throws {
        try await home.store("\(login)password=secret\n")
        try await switchOn()
        symlink("/etc/passwd", log)
        let outcome = try await home.helper("get", input: login)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.outputText == "username=ada\npassword=secret\n")
        let warnings = outcome.errorText.split(separator: "\n")
        #expect(warnings.count == 1 && warnings[0].hasPrefix("lanyard: warning: a use of"))
    }

    @Test func aChangedLogIsReported() async throws {
        try await switchOn()
        for name in ["a", "b", "c"] {
            try await home.set(name, secret: "x")
        }
        let whole = try home.read(log)
        try Data(whole[..<512] + whole[1024...]).write(to: URL(filePath: log))
        chmod(log, 0o600)
        var outcome = try await home.lanyard("log")
        #expect(outcome.status == 93 && outcome.errorText.contains("was changed"), "\(outcome)")
        #expect(outcome.outputText.split(separator: "\n").count == 3)
        try Data(whole[..<1200]).write(to: URL(filePath: log))
        outcome = try await home.lanyard("log")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.outputText.split(separator: "\n").count == 3)
        #expect(
            outcome.errorText
                == "lanyard: warning: the last entry in '\(log)' is incomplete and was skipped\n")
    }

    /// Whatever moment a program is killed at, the entries of the others stay whole.
    @Test func killedProgramsLeaveAWholeLog() async throws {
        try await home.store("\(login)password=secret\n")
        try await switchOn()
        let input = try home.write(login, to: "request")
        var answered = 0
        for number in 0..<60 {
            let command = try home.command(
                "sh", ["-c", "exec git-credential-lanyard get <\"$1\"", "sh", input])
            let (outcome, _) = try await command.run { process in
                try await Task.sleep(
                    for: .microseconds(150 * number), tolerance: .zero)
                kill(process, SIGKILL)
            }
            // An answer that came out before the end counts, too.
            answered += outcome.outputText.isEmpty ? 0 : 1
        }
        try await home.expectGet(login, "username=ada\npassword=secret\n")
        let outcome = try await home.lanyard("log")
        #expect(outcome.status == 0 && outcome.errorText.isEmpty, "\(outcome)")
        #expect(outcome.outputText.split(separator: "\n").count >= answered + 2)
    }

    @Test func deletingTheKeychainDeletesIt() async throws {
        try await switchOn()
        try await home.set("backup", secret: "x")
        #expect(FileManager.default.fileExists(atPath: log))
        let outcome = try await home.lanyard("keychain", "delete", "login", "--yes")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: log))
    }
}
