import Foundation
import Testing

@testable import ToolSetup

@Suite("git finds lanyard's helper in jobs too")
struct HelperPathTests {
    /// What git answers in a job of cron, which has HOME and a short PATH.
    private func answerInJob(_ home: SetupHome) async throws -> String {
        let own = home.variables
        defer { home.variables = own }
        home.variables = [
            "HOME": home.path(""), "PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
        ]
        return try await home.git(
            "credential", "fill", input: "protocol=https\nhost=example.org\n")
    }

    private func home(in folder: String = "bin") throws -> SetupHome {
        let home = try SetupHome()
        home.jobFolders = ["/usr/bin", "/bin"]
        guard folder != "bin" else {
            return home
        }
        let place = "\(home.folder)/\(folder)"
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            atPath: "\(home.folder)/bin/git-credential-lanyard",
            toPath: "\(place)/git-credential-lanyard")
        home.variables["PATH"] = "\(home.folder)/bin:\(place)"
        return home
    }

    @Test(
        "by an absolute path, whatever is in it, unless it is where jobs look",
        arguments: ["bin", ".local/bin", "it's \"mine\"/b $c;#/\\d"])
    func byPath(folder: String) async throws {
        let home = try home(in: folder)
        let before = try home.tree()
        try home.setUp(.git)
        #expect(try await answerInJob(home).contains("password=from-lanyard"))
        #expect(
            try await home.git("credential", "fill", input: "protocol=https\nhost=a.example\n")
                .contains("password=from-lanyard"))
        try home.undo(.git)
        #expect(try home.tree() == before)
    }

    @Test("a configured helper gets its path and keeps its options")
    func named() async throws {
        let home = try home()
        try home.write(".gitconfig", "[credential]\n\thelper = lanyard --keychain work\n")
        try home.setUp(.git)
        let helpers = try await home.git("config", "--get-all", "credential.helper")
        let path = "\(home.folder)/bin/git-credential-lanyard"
        #expect(helpers == "lanyard --keychain work\n\n\(path) --keychain work\n")
        #expect(try await answerInJob(home).contains("password=from-lanyard"))
    }

    @Test("an outdated path of the helper is replaced")
    func moved() async throws {
        let home = try home()
        try home.setUp(.git)
        try FileManager.default.moveItem(
            atPath: "\(home.folder)/bin/git-credential-lanyard",
            toPath: "\(home.folder)/run/git-credential-lanyard")
        home.variables["PATH"] = "\(home.folder)/bin:\(home.folder)/run"
        try home.setUp(.git)
        #expect(try await answerInJob(home).contains("password=from-lanyard"))
        try home.undo(.git)
        #expect(try home.tree().isEmpty)
    }

    @Test("in git's own folder it is found by its name")
    func ownFolder() throws {
        let home = try home(in: "exec")
        home.variables["PATH"] = "\(home.folder)/bin"
        home.variables["GIT_EXEC_PATH"] = "\(home.folder)/exec"
        let plan = try home.setUp(.git)
        #expect(plan.changes.first?.lines == ["+[credential]", "+\thelper = lanyard"])
        #expect(plan.notes == [])
    }

    @Test("docker takes no path: the note says where it looks")
    func docker() throws {
        let home = try home()
        let notes = try home.setup(.docker).plan().notes
        #expect(
            notes.contains(
                "docker and podman look for docker-credential-lanyard only on PATH: add"
                    + " '\(home.folder)/bin' to it in cron and systemd jobs"), "\(notes)")
        home.jobFolders.append("\(home.folder)/bin")
        #expect(try !home.setup(.docker).plan().notes.contains { $0.contains("jobs") })
    }
}
