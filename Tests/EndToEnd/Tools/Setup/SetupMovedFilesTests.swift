import Foundation
import Testing
@testable import EndToEndRig

/// What `lanyard setup` moves into the keychain comes back by `lanyard setup --undo`.
@Suite(.needs(.git, .python), .timeLimit(.minutes(10)))
struct SetupMovedFilesTests {
    private static let docker =
        "{\n\t\"auths\": {\"d.example\": {\"auth\":\"dTpodW50ZXI1\"}},\"x\":1}"
    private static let lines =
        "https://ada:hunter2@a.example\nnot a login\nhttps://bob:hunter3@a.example\n"
    private static let netrc = "machine c.example login ada password hunter4\n"

    let home: ScratchHome
    private let files: [String: String]

    init() async throws {
        home = try ScratchHome()
        try home.configureClients(.nothing)
        try FileManager.default.removeItem(
            atPath: "\(home.path)/home/.config/containers/registries.conf")
        _ = try home.write("[credential]\n\thelper = store\n", to: "gitconfig", mode: 0o644)
        files = [
            ".git-credentials": Self.lines, ".netrc": Self.netrc,
            ".docker/config.json": Self.docker,
        ]
        for (name, text) in files {
            try home.writeAtHome(text, to: name)
        }
        // Not the programs of the machine, which would be tried.
        _ = try await home.shell(
            #"mkdir "$HOME/bin"; for tool in git sh stty; do ln -s "$(command -v "$tool")" "$HOME/bin/"; done; ln -s /bin/true "$HOME/bin/docker""#
        )
    }

    private var variables: [String: String?] {
        get throws {
            home.toolVariables.merging([
                "PATH": "\(home.folder)/bin:\(try Programs.folder())",
                // No line is broken.
                "COLUMNS": "1000",
            ]) { $1 }
        }
    }

    /// What an undo says of the logins that tools have in the keychain.
    private static func hint(_ tools: String) -> String {
        """
        lanyard: hint: the keychain still has logins of \(tools); to write them to a file: \
        lanyard export --plain-text FILE

        """
    }

    private func setUp(_ answers: Dialogue.Step...) async throws -> String {
        let session = try await Dialogue(home: home, variables: try variables).run(
            "lanyard setup",
            steps: [
                .sees("make these changes? [Y/n] "), .types("y\n"), .sees("plain text? [Y/n] "),
            ] + answers)
        #expect(!session.shown.contains("hunter"), "\(session)")
        return session.shown
    }

    private func undo(_ arguments: String...) async throws -> Outcome {
        try await home.command(
            "lanyard", ["setup"] + arguments + ["--undo"], variables: try variables
        ).run()
    }

    private let netrcQuestion = Dialogue.Step.sees("move its logins anyway? [y/N] ")

    @Test func everyByteComesBack() async throws {
        _ = try await setUp(.types("y\n"), netrcQuestion, .types("y\n"))
        #expect(home.textAtHome(".git-credentials") == "not a login\n")
        #expect(home.textAtHome(".netrc") == nil)
        #expect(home.textAtHome(".docker/config.json")?.contains("dTpodW50ZXI1") == false)
        // Neither the keychain nor a copy holds them as they were.
        let words = ReadableForms(words: ["git": "hunter2", "docker": "dTpodW50ZXI1"])
        #expect(words.search(try Snapshot(home.path).contents) == [])

        let before = try Snapshot(home.path)
        let dry = try await undo("--dry-run")
        #expect(dry.status == 0, "\(dry)")
        #expect(dry.outputText.contains("restore   \(home.folder)/.netrc\n"), "\(dry)")
        #expect(try Snapshot(home.path).differences(from: before) == [])

        let undone = try await undo()
        #expect(undone.status == 0, "\(undone)")
        // They are also where the tools no longer look.
        #expect(undone.errorText == Self.hint("git, docker"), "\(undone)")
        for (name, text) in files {
            #expect(home.textAtHome(name) == text, "\(name)")
            let attributes = try FileManager.default.attributesOfItem(
                atPath: "\(home.folder)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        #expect(
            try String(decoding: home.read("\(home.path)/gitconfig"), as: UTF8.self)
                == "[credential]\n\thelper = store\n")
        let list = try await home.lanyard("list", "--all", "--group", "setup")
        #expect(list.output.isEmpty, "\(list)")
        let again = try await undo()
        #expect(again.status == 44, "\(again)")
    }

    /// curl goes on to find its logins: Return is no.
    @Test(arguments: ["\n", "n\n", "\u{3}"])
    func netrcStaysUnlessItIsMeant(typed: String) async throws {
        let shown = try await setUp(.types("y\n"), netrcQuestion, .types(typed))
        #expect(home.textAtHome(".netrc") == Self.netrc)
        #expect(
            shown.contains("    lanyard import netrc '\(home.folder)/.netrc'\r\n"), "\(shown)")
        #expect(home.textAtHome(".git-credentials") == "not a login\n")
    }

    @Test func oneToolComesBackByItself() async throws {
        _ = try await setUp(.types("y\n"), netrcQuestion, .types("\n"))
        let docker = home.textAtHome(".docker/config.json")
        let undone = try await undo("git")
        #expect(undone.status == 0, "\(undone)")
        #expect(home.textAtHome(".git-credentials") == Self.lines)
        #expect(home.textAtHome(".docker/config.json") == docker)
        #expect(try await undo("docker").status == 0)
        #expect(home.textAtHome(".docker/config.json") == Self.docker)
    }

    /// The others come back. What the keychain has of the damaged one stays there.
    @Test(arguments: [["--dry-run"], []])
    func aDamagedToolLeavesTheOthers(options: [String]) async throws {
        _ = try await setUp(.types("y\n"), netrcQuestion, .types("\n"))
        let docker = home.textAtHome(".docker/config.json")
        let record = try home.read("\(home.state)/setup/git")
        _ = try home.write("damaged", to: "lanyard/state/setup/git")
        let undone = try await home.command(
            "lanyard", ["setup", "--undo"] + options, variables: try variables
        ).run()
        #expect(undone.status == 93, "\(undone)")
        let error = """
            lanyard: error: the setup of git is not undone: can't read the setup record '\(home.state)/setup/git'
            lanyard: hint: the copies next to it are the original files

            """
        // The error comes last, in front of the exit. docker's logins are no longer looked for.
        let expected = options.isEmpty ? Self.hint("docker") + error : error
        #expect(undone.errorText == expected, "\(undone)")
        #expect(home.textAtHome(".git-credentials") == "not a login\n")
        #expect(
            home.textAtHome(".docker/config.json") == (options.isEmpty ? Self.docker : docker))
        _ = try home.write(String(decoding: record, as: UTF8.self), to: "lanyard/state/setup/git")
        let again = try await undo()
        #expect(again.status == 0, "\(again)")
        #expect(home.textAtHome(".git-credentials") == Self.lines)
        #expect(home.textAtHome(".docker/config.json") == Self.docker)
    }

    /// The files come back. What the keychain still has of them is removed later.
    @Test(.needs(.root, .mounts)) func aKeychainThatCantBeWritten() async throws {
        _ = try await setUp(.types("y\n"), netrcQuestion, .types("\n"))
        let script = """
            /bin/mount --bind "$LANYARD_HOME/data" "$LANYARD_HOME/data"
            /bin/mount -o remount,bind,ro "$LANYARD_HOME/data"
            exec lanyard setup --undo
            """
        let undone = try await home.command(
            "sh",
            [
                "-c", "exec /usr/bin/unshare --mount --propagation private sh -euc \"$1\"", "sh",
                script,
            ],
            variables: try variables
        ).run()
        #expect(undone.status == 52, "\(undone)")
        for (tool, file) in [("docker", ".docker/config.json"), ("git", ".git-credentials")] {
            let reason =
                "the setup of \(tool) is undone, but the keychain still has '\(home.folder)/\(file)'"
            #expect(undone.errorText.contains("lanyard: error: \(reason) as it was: "), "\(undone)")
            #expect(home.textAtHome(file) == files[file])
        }
        #expect(try await undo().status == 0)
        let list = try await home.lanyard("list", "--all", "--group", "setup")
        #expect(list.output.isEmpty, "\(list)")
        #expect(try await undo().status == 44)
    }

    @Test func whatWasWrittenSinceStays() async throws {
        _ = try await setUp(.types("y\n"), netrcQuestion, .types("\n"))
        let file = try home.writeAtHome("https://eve:new@b.example\n", to: ".git-credentials")
        let undone = try await undo()
        #expect(undone.status == 0, "\(undone)")
        #expect(undone.errorText.contains("'\(file)' has changed since"), "\(undone)")
        #expect(home.textAtHome(".git-credentials") == "https://eve:new@b.example\n")
        #expect(home.textAtHome(".docker/config.json") == Self.docker)
        // The hint's commands.
        #expect(
            undone.errorText.contains(
                "lanyard get --group setup '~/.git-credentials'; without it this warning ends: "
                    + "lanyard remove --group setup '~/.git-credentials'\n"), "\(undone)")
        let got = try await home.lanyard("get", "--group", "setup", "~/.git-credentials")
        #expect(got.outputText.hasPrefix(Self.lines), "\(got)")
        try await home.succeeds("lanyard", "remove", "--group", "setup", "~/.git-credentials")
        let again = try await undo()
        #expect(!again.errorText.contains("has changed since"), "\(again)")
    }

    /// Each login that a changed file lacks comes back.
    @Test func aChangedFileGetsItsLoginsBack() async throws {
        _ = try await setUp(.types("y\n"), netrcQuestion, .types("\n"))
        let moved = try #require(home.textAtHome(".docker/config.json"))
        let new = "\"e.example\": {\"auth\":\"bmV3\"}"
        try home.writeAtHome(
            moved.replacing("\"auths\": {", with: "\"auths\": {\(new),"), to: ".docker/config.json")
        let dry = try await undo("--dry-run")
        #expect(
            dry.outputText.contains("restore   \(home.folder)/.docker/config.json\n"), "\(dry)")
        let undone = try await undo()
        #expect(undone.status == 0, "\(undone)")
        #expect(undone.errorText == Self.hint("git, docker"), "\(undone)")
        #expect(
            home.textAtHome(".docker/config.json")
                == Self.docker.replacing("\"auths\": {", with: "\"auths\": {\(new),"))
        let list = try await home.lanyard("list", "--all", "--group", "setup")
        #expect(list.output.isEmpty, "\(list)")
    }

    /// A newer login stays, and the keychain keeps the old one.
    @Test func aNewLoginOfTheSameRegistryStays() async throws {
        _ = try await setUp(.types("y\n"), netrcQuestion, .types("\n"))
        let file = try home.writeAtHome(
            "{\"auths\": {\"d.example\": {\"auth\":\"bmV3\"}}}", to: ".docker/config.json")
        let undone = try await undo()
        #expect(undone.status == 0, "\(undone)")
        #expect(
            undone.errorText.contains(
                "warning: '\(file)' has new logins for 'd.example': they stay\n"), "\(undone)")
        #expect(
            home.textAtHome(".docker/config.json")
                == "{\"auths\": {\"d.example\": {\"auth\":\"bmV3\"}}}")
        let got = try await home.lanyard("get", "--group", "setup", "~/.docker/config.json")
        #expect(got.outputText.hasPrefix(Self.docker), "\(got)")
    }

    /// Without docker and its kin, no program that asks the keychain reads the file: Return is no.
    @Test func dockersFileStaysWithoutDocker() async throws {
        try FileManager.default.removeItem(atPath: "\(home.folder)/bin/docker")
        let file = "\(home.folder)/.docker/config.json"
        let question =
            "programs other than docker, podman, skopeo and buildah, which are not installed, read"
            + " '\(file)', and don't look in the keychain; move its logins anyway? [y/N] "
        let shown = try await setUp(
            .types("y\n"), .sees(question), .types("\n"), netrcQuestion, .types("\n"))
        #expect(home.textAtHome(".docker/config.json") == Self.docker)
        #expect(shown.contains("    lanyard import docker-config '\(file)'\r\n"), "\(shown)")
        #expect(home.textAtHome(".git-credentials") == "not a login\n")
    }

    /// What was moved at first is not thrown away for what was moved later.
    @Test func aFileThatWasMovedTwice() async throws {
        _ = try await setUp(.types("y\n"), netrcQuestion, .types("y\n"))
        try home.writeAtHome("machine e.example login eve password new\n", to: ".netrc")
        let again = try await Dialogue(home: home, variables: try variables).run(
            "lanyard setup",
            steps: [netrcQuestion, .types("y\n")])
        #expect(home.textAtHome(".netrc") == nil, "\(again)")
        let undone = try await undo()
        #expect(undone.status == 0, "\(undone)")
        #expect(home.textAtHome(".netrc") == "machine e.example login eve password new\n")
        #expect(
            undone.errorText.contains(
                "lanyard get --group setup '~/.netrc'; without it this warning ends: "
                    + "lanyard remove --group setup '~/.netrc'\n"), "\(undone)")
        let got = try await home.lanyard("get", "--group", "setup", "~/.netrc")
        #expect(got.outputText.hasPrefix(Self.netrc), "\(got)")
    }

    /// Two keychains have what was moved: one undo restores it without a warning, and deletes both.
    @Test func aCopiedKeychain() async throws {
        _ = try await setUp(.types("y\n"), netrcQuestion, .types("y\n"))
        try await home.succeeds("lanyard", "keychain", "create", "work")
        try await home.succeeds("lanyard", "keychain", "copy", "login", "work")
        try await home.succeeds("lanyard", "keychain", "search-list", "login", "work")
        let copied = try await home.lanyard("list", "--all", "--group", "setup")
        #expect(copied.outputText.ranges(of: "~/.netrc").count == 2, "\(copied)")
        let undone = try await undo()
        #expect(undone.status == 0, "\(undone)")
        #expect(undone.errorText == Self.hint("git, docker"), "\(undone)")
        for (name, text) in files {
            #expect(home.textAtHome(name) == text, "\(name)")
        }
        let list = try await home.lanyard("list", "--all", "--group", "setup")
        #expect(list.output.isEmpty, "\(list)")
    }

    /// Without the passphrase nothing changes, and it can be undone whole later.
    @Test func aLockedKeychain() async throws {
        _ = try await setUp(.types("y\n"), netrcQuestion, .types("\n"))
        try await home.setPassphrase()
        let before = try Snapshot(home.path)
        let refused = try await undo()
        #expect(refused.status == 36, "\(refused)")
        #expect(try Snapshot(home.path).differences(from: before) == [])
        let undone = try await home.command(
            "lanyard", ["setup", "--undo"],
            variables: try variables.merging([
                "LANYARD_PASSPHRASE_FILE": "\(home.path)/passphrase"
            ]) { $1 }
        ).run()
        #expect(undone.status == 0, "\(undone)")
        #expect(home.textAtHome(".git-credentials") == Self.lines)
    }
}
