import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard setup` sets every tool up that is there, and tries it.
@Suite(.needs(.git), .timeLimit(.minutes(20)))
struct SetupEndToEndTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
        // What keeps the clients' own files in this home, and names no helper.
        try home.configureClients(.nothing)
        try FileManager.default.removeItem(
            atPath: "\(home.path)/home/.config/containers/registries.conf")
        _ = try home.write("[user]\n\tname = Ada\n", to: "gitconfig", mode: 0o644)
    }

    private func setup(
        _ arguments: String..., variables: [String: String?] = [:]
    ) async throws -> Outcome {
        let all = home.toolVariables.merging(variables) { _, own in own }
        return try await home.command("lanyard", ["setup"] + arguments, variables: all).run()
    }

    private func isInstalled(_ program: String) async throws -> Bool {
        try await home.command("sh", ["-c", "command -v \"$1\"", "sh", program]).run().status == 0
    }

    @Test func setsEveryToolUpAndTriesIt() async throws {
        let outcome = try await setup("--yes")
        // It only says whether systemd can seal the machine key here.
        let notes = outcome.errorText.split(separator: "\n")
        let isQuiet = notes.allSatisfy { $0.contains("machine key") || $0.contains("machine-key") }
        #expect(outcome.status == 0 && isQuiet, "\(outcome)")
        for program in ["git", "docker", "podman", "skopeo", "buildah"] {
            let isThere = try await isInstalled(program)
            let line = "ok        \(program) works with a trial login\n"
            #expect(outcome.outputText.contains(line) == isThere, "\(outcome)")
        }
        #expect(outcome.outputText.contains("\nnext      git clone"), "\(outcome)")
        // Nothing of the made-up logins stays.
        expectAnswer(try await home.lanyard("list"), "")
        let request = "protocol=https\nhost=a.example\nusername=ada\n"
        _ = try await home.command(
            "git", ["credential", "approve"], input: Array("\(request)password=pw\n".utf8)
        ).run()
        let filled = try await home.command(
            "git", ["credential", "fill"], input: Array("protocol=https\nhost=a.example\n".utf8)
        ).run()
        #expect(filled.outputText.contains("password=pw\n"), "\(filled)")
        let again = try await setup("--yes")
        #expect(again.status == 0, "\(again)")
        #expect(again.outputText.contains("git is set up: nothing to change"), "\(again)")
    }

    @Test func withoutATerminalAndConsentNothingIsChanged() async throws {
        let before = try Snapshot(home.path)
        let outcome = try await home.command(
            "setsid", ["-w", "lanyard", "setup"], variables: home.toolVariables
        ).run()
        #expect(outcome.status == 36, "\(outcome)")
        #expect(
            outcome.errorText == """
                lanyard: error: there is no terminal to prompt at
                lanyard: hint: lanyard setup --yes sets them up without asking

                """, "\(outcome)")
        #expect(outcome.outputText.contains("git stores its logins in lanyard"), "\(outcome)")
        #expect(try Snapshot(home.path).differences(from: before) == [])
    }

    @Test(arguments: [
        ["--dry-run"], ["--json"], ["all", "--dry-run"], ["git", "--dry-run"],
        ["--dry-run", "--json"],
    ])
    func aPlanChangesNothing(arguments: [String]) async throws {
        let before = try Snapshot(home.path)
        let outcome = try await home.command(
            "lanyard", ["setup"] + arguments, variables: home.toolVariables
        ).run()
        #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
        #expect(outcome.outputText.contains("\(home.path)/gitconfig"), "\(outcome)")
        #expect(try Snapshot(home.path).differences(from: before) == [])
    }

    @Test func jsonTellsThePlanAndWhatCameOfIt() async throws {
        let plan = try JSONText(try await setup("--json").output).members
        let git = plan["tools"]?.elements.first?.members ?? [:]
        #expect(git["tool"] == "git" && git["applied"] == false && git["reason"] == .null)
        let change = git["changes"]?.elements.first?.members ?? [:]
        #expect(change["action"] == "change" && change["path"] == .string("\(home.path)/gitconfig"))
        #expect(plan["programs"]?.elements.first?.members["works"] == .null)
        let done = try JSONText(try await setup("--yes", "--json").output).members
        #expect(done["tools"]?.elements.allSatisfy { $0.members["applied"] == true } == true)
        #expect(done["programs"]?.elements.allSatisfy { $0.members["works"] == true } == true)
    }

    @Test func undoRestoresEveryByte() async throws {
        _ = try home.write("{\"auths\": {}, \"x\": 1}", to: "home/.docker/config.json")
        let places = ["\(home.path)/home/.docker", "\(home.path)/home/.config"]
        let before = try places.map { try Snapshot($0) }
        let configuration = try home.read("\(home.path)/gitconfig")
        #expect(try await setup("--yes").status == 0)
        for (place, old) in zip(places, before) {
            #expect(try Snapshot(place).contentDifferences(from: old) != [])
        }
        let undone = try await setup("--undo")
        #expect(undone.status == 0 && undone.error.isEmpty, "\(undone)")
        for (place, old) in zip(places, before) {
            #expect(try Snapshot(place).contentDifferences(from: old) == [])
        }
        #expect(try home.read("\(home.path)/gitconfig") == configuration)
        let again = try await setup("--undo")
        #expect(again.status == 44, "\(again)")
        #expect(again.errorText == "lanyard: error: there is no setup to undo\n")
    }

    /// An option after a tool's name is that tool's.
    @Test func oneToolIsSetUpAndUndoneByItself() async throws {
        let configuration = try home.read("\(home.path)/gitconfig")
        #expect(try await setup("git").status == 0)
        let changed = try home.read("\(home.path)/gitconfig")
        #expect(changed != configuration)
        for wrong in [["git", "--json"], ["--yes", "git"], ["--undo", "docker"]] {
            let refused = try await home.command("lanyard", ["setup"] + wrong).run()
            #expect(refused.status == 64, "\(refused)")
        }
        #expect(try home.read("\(home.path)/gitconfig") == changed)
        let undone = try await setup("git", "--undo")
        #expect(undone.status == 0, "\(undone)")
        #expect(try home.read("\(home.path)/gitconfig") == configuration)
    }

    /// Who agrees to a dry run agrees to nothing.
    @Test(arguments: [["git"], ["docker"], ["all"], ["all", "--json"], ["cargo"]])
    func aDryRunIsOneAlsoWithYes(_ words: [String]) async throws {
        let before = try Snapshot(home.path)
        let all = ["setup"] + words + ["--yes", "--dry-run"]
        let outcome = try await home.command("lanyard", all, variables: home.toolVariables).run()
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try Snapshot(home.path).differences(from: before) == [])
    }

    /// The tool no longer finds what it has stored meanwhile.
    @Test func undoNamesTheLoginsOfTheKeychain() async throws {
        #expect(try await setup("git").status == 0)
        try await home.store("protocol=https\nhost=a.example\nusername=ada\npassword=pw\n")
        let tried = try await setup("git", "--undo", "--dry-run")
        #expect(tried.status == 0 && tried.error.isEmpty, "\(tried)")
        let undone = try await setup("git", "--undo")
        #expect(undone.status == 0, "\(undone)")
        #expect(
            undone.errorText == """
                lanyard: hint: the keychain still has logins of git; to write them to a file: \
                lanyard export --plain-text FILE

                """, "\(undone)")
    }

    /// Of two at once one succeeds; the other changes nothing.
    @Test func twoAtOnceLeaveOneSetup() async throws {
        let configuration = try home.read("\(home.path)/gitconfig")
        let script = """
            lanyard setup git "$@" >/dev/null 2>&1 & first=$!
            lanyard setup git "$@" >/dev/null 2>&1; second=$?
            wait $first; echo $? $second
            """
        for round in 0..<8 {
            let both = try await home.command("sh", ["-c", script]).run()
            #expect(both.outputText.split(separator: /[ \n]/).contains("0"), "\(round): \(both)")
            #expect(try home.text("gitconfig").contains("helper = "), "\(round): \(both)")
            let undone = try await home.command("sh", ["-c", script, "sh", "--undo"]).run()
            let statuses = undone.outputText.split(separator: /[ \n]/)
            #expect(statuses.contains("0"), "\(round): \(undone)")
            #expect(try home.read("\(home.path)/gitconfig") == configuration, "\(undone)")
        }
    }

    @Test func plainTextIsToldOfAndNotShown() async throws {
        _ = try home.write(
            "https://ada:hunter2@a.example\nhttps://ada:hunter3@b.example\n",
            to: "home/.git-credentials")
        _ = try home.write("machine c.example login ada password hunter4\n", to: "home/.netrc")
        _ = try home.write(
            #"{"auths":{"d.example":{"auth":"aHVudGVyNTpodW50ZXI1"}}}"#,
            to: "home/.docker/config.json")
        let outcome = try await setup("--yes")
        #expect(outcome.status == 0, "\(outcome)")
        let places = [
            ("git-credentials", ".git-credentials", "2 logins"), ("netrc", ".netrc", "1 login"),
            ("docker-config", ".docker/config.json", "1 login"),
        ]
        for (source, name, count) in places {
            let path = "\(home.path)/home/\(name)"
            #expect(
                outcome.outputText.contains("warning   '\(path)' has \(count) in plain text\n"),
                "\(outcome)")
            // curl reads netrc, too.
            let option = source == "netrc" ? "" : "--remove-plain-text "
            #expect(
                outcome.outputText.contains(
                    "later     lanyard import \(source) \(option)'\(path)'\n"),
                "\(outcome)")
        }
        #expect(!outcome.outputText.contains("hunter") && !outcome.outputText.contains("aHVudGVy"))
    }
}
