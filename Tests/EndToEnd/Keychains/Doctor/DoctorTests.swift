import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard doctor` names what is wrong, and the command that mends it.
@Suite(.needs(.git, .python), .timeLimit(.minutes(20)))
struct DoctorTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.setToolsUp()
    }

    private func doctor(
        _ variables: [String: String?] = [:], after command: String = ":",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Doctor {
        let script = "eval \"$1\" >/dev/null && exec lanyard doctor --json"
        return try Doctor(
            try await home.inRepository(script, command, variables: variables),
            sourceLocation: sourceLocation)
    }

    @Test func findsNothingWhereAllIsWell() async throws {
        let before = try Snapshot(home.path)
        let doctor = try await doctor()
        #expect(doctor.codes == [], "\(doctor)")
        let screen = try await home.inRepository("lanyard doctor")
        #expect(screen.status == 0 && screen.error.isEmpty, "\(screen)")
        let count = try #require(
            screen.outputText.firstMatch(of: /ok {8}(\d+) checks passed/) ?? nil)
        #expect(Int(count.1) ?? 0 > 20, "\(screen)")
        let all = try await home.inRepository("lanyard doctor --verbose")
        #expect(all.outputText.contains("; configuration; keychains; "), "\(all)")
        // As many as are named, remarks or not.
        #expect(all.outputText.contains("ok        \(count.1) checks passed"), "\(all)")
        let named = all.outputText.split(separator: "checks passed\n")[1].split(separator: "\n\n")[
            0]
        #expect(named.count { $0 == ";" } + 1 == Int(count.1), "\(all)")
        // It looks, and touches nothing.
        #expect(try Snapshot(home.path).differences(from: before) == [])
        // A script that finds no login would prove nothing of those that are to be found below.
        let found = try FoundLogins(try await home.inRepository(FoundLogins.script).output)
        #expect(found.lines == ["git a.example pw", "list a.example ada"])
    }

    /// Each check of git would wait for it again.
    @Test func asksAGitThatHangsOnlyOnce() async throws {
        let start = ContinuousClock.now
        let doctor = try await doctor(
            after: """
                mkdir "$HOME/hanging"
                printf '#!/bin/sh\nexec sleep 600\n' >"$HOME/hanging/git"
                chmod 755 "$HOME/hanging/git"
                PATH=$HOME/hanging:$PATH
                """)
        #expect(ContinuousClock.now - start < .seconds(40))
        #expect(doctor.codes == ["program-hangs"], "\(doctor)")
        let texts = doctor.findings.map(\.what)
        #expect(texts.contains { $0.hasSuffix("/hanging/git' does not answer") }, "\(texts)")
    }

    /// No import takes a login for all hosts, so no command is offered for it.
    @Test func netrcWithOnlyADefault() async throws {
        try home.writeAtHome("default login ada password hunter2\n", to: ".netrc")
        let doctor = try await home.lanyard("doctor")
        #expect(doctor.outputText.contains("[plain-text-netrc]"), "\(doctor)")
        #expect(doctor.outputText.contains("name each host with 'machine'"), "\(doctor)")
        #expect(!doctor.outputText.contains("import netrc"), "\(doctor)")
        // This names the command for each file to move.
        let setup = try await home.json("setup", "--json")
        #expect(setup.members["plain_text"] == [], "\(setup)")
    }

    /// docker's file is only unknown then.
    @Test func aMissingHomeIsReportedOnce() async throws {
        let doctor = try await doctor(["HOME": nil, "LANYARD_HOME": nil])
        #expect(doctor.codes.contains("home-missing"), "\(doctor)")
        #expect(!doctor.codes.contains("docker-configuration-unreadable"), "\(doctor)")
        let ownFolder = try await self.doctor(["HOME": nil])
        #expect(!ownFolder.codes.contains("home-missing"), "\(ownFolder)")
        let docker = ownFolder.findings.first { $0.code == "docker-configuration-unreadable" }
        #expect(docker?.advice == "set HOME to your home folder", "\(ownFolder)")
    }

    /// podman and others read it, and a setup fails on it.
    @Test func aBrokenFileOfDockersWithoutDocker() async throws {
        let bin = "\(home.path)/bin"
        try await home.shell(
            #"mkdir "$1" && for tool in git sh cat; do ln -s "$(command -v "$tool")" "$1/"; done"#,
            bin)
        try home.writeAtHome("{", to: ".docker/config.json")
        let outcome = try await home.command(
            "lanyard", ["doctor", "--json"],
            variables: home.toolVariables.merging(["PATH": "\(try Programs.folder()):\(bin)"]) {
                _, own in own
            }
        ).run()
        let doctor = try Doctor(outcome)
        let found = doctor.findings.first { $0.code == "docker-configuration-unreadable" }
        #expect(found?.advice == "fix the file with an editor", "\(doctor)")
        #expect(found?.meaning.hasPrefix("its setup fails") == true, "\(doctor)")
    }

    /// The configuration only names a keychain in the folder.
    @Test func anOpenFolderIsNoMistakeInTheConfiguration() async throws {
        let doctor = try await doctor(
            after: """
                mkdir -p -m 700 "$LANYARD_HOME/config"
                printf '[lanyard]\n\tdefault = login\n' >"$LANYARD_HOME/config/config"
                chmod 755 "$LANYARD_HOME/data"
                """)
        #expect(doctor.codes.contains("folder-open-to-others"), "\(doctor)")
        #expect(!doctor.codes.contains("configuration-mistake"), "\(doctor)")
    }

    /// twine's file is also that of a program's profile.
    @Test func aFileIsReportedOnce() async throws {
        try home.writeAtHome("[pypi]\npassword = pypi-hunter2\n", to: ".pypirc")
        let doctor = try await doctor()
        #expect(doctor.codes == ["plain-text-tool"], "\(doctor)")
        let command = doctor.commands("plain-text-tool").joined()
        #expect(command.hasPrefix("lanyard setup keyring && lanyard import pypirc "), "\(doctor)")
    }

    /// gradle has no helper: an import would leave it without a password.
    @Test func gradleKeepsItsPassword() async throws {
        try home.writeAtHome("repoPassword=hunter2\n", to: ".gradle/gradle.properties")
        let doctor = try await doctor()
        #expect(doctor.codes == ["plain-text-tool"], "\(doctor)")
        #expect(doctor.commands("plain-text-tool") == [], "\(doctor)")
        #expect(doctor.findings.contains { $0.advice?.contains("ORG_GRADLE_PROJECT_") == true })
    }

    /// An import would skip it.
    @Test func npmrcWithOnlyAVariable() async throws {
        try home.writeAtHome("//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n", to: ".npmrc")
        let doctor = try await home.lanyard("doctor")
        #expect(!doctor.outputText.contains(".npmrc"), "\(doctor)")
        try home.writeAtHome("//registry.npmjs.org/:_authToken=npm_hunter2\n", to: ".npmrc")
        let token = try await home.lanyard("doctor")
        #expect(token.outputText.contains("[plain-text-tool]"), "\(token)")
    }

    @Test(arguments: BrokenSetup.ofGit)
    func namesWhatIsWrongWithGit(_ broken: BrokenSetup) async throws {
        try await check(broken)
    }

    @Test(arguments: BrokenSetup.ofContainers + BrokenSetup.ofPlainText)
    func namesWhatIsWrongWithContainersAndFiles(_ broken: BrokenSetup) async throws {
        try await check(broken)
    }

    @Test(arguments: BrokenSetup.ofPlaces)
    func namesWhatIsWrongWithPlaces(_ broken: BrokenSetup) async throws {
        try await check(broken)
    }

    @Test(arguments: BrokenSetup.ofKeychains.filter { !$0.needsKeyring })
    func namesWhatIsWrongWithKeychains(_ broken: BrokenSetup) async throws {
        try await check(broken)
    }

    @Test(.needs(.keyrings), arguments: BrokenSetup.ofKeychains.filter(\.needsKeyring))
    func namesWhatIsLocked(_ broken: BrokenSetup) async throws {
        try await home.forgettingKeys {
            try await check(broken)
        }
    }

    /// Does what doctor says, in the shell that asks it again, and looks before and after it which logins
    /// the tools find.
    private func doctor(
        _ variables: [String: String?], after commands: [String]
    ) async throws -> Doctor {
        let files = ["before", "after"].map { "\(home.path)/\($0)" }
        let outcome = try await home.inRepository(
            """
            eval "$2" >"$3" 2>"$5"
            eval "$1" >"$5" 2>&1 || cat "$5" >&2
            eval "$2" >"$4" 2>"$5"
            exec lanyard doctor --json
            """, commands.joined(separator: "\n"), FoundLogins.script, files[0], files[1],
            "\(home.path)/said",
            variables: variables)
        let found = try files.map { try FoundLogins(home.read($0)) }
        #expect(found[0].missing(in: found[1]) == [], "\(commands): \(outcome)")
        return try Doctor(outcome)
    }

    /// Breaks the set-up, asks doctor, does what it says, and asks again. Whatever was found before is
    /// found then.
    private func check(_ broken: BrokenSetup) async throws {
        let made = try await home.inRepository(
            "H=$LANYARD_HOME; set -eu; \(broken.breaking)", home.path)
        try #require(made.status == 0, "\(made)")
        let path = try home.environment()["PATH"] ?? ""
        let variables = broken.variables.mapValues { value in
            value?.replacing("SCRATCH", with: home.path).replacing(":PATH", with: ":\(path)")
        }
        let before = try await doctor(variables)
        #expect(before.codes.contains(broken.code), "\(before)")
        let found = before.findings.filter { $0.code == broken.code }
        #expect(found.allSatisfy { !$0.what.isEmpty && !$0.meaning.isEmpty }, "\(before)")
        let commands = before.commands(broken.code)
        if let mending = broken.mending {
            let own = "H='\(home.lanyard)'; SCRATCH='\(home.path)'; \(mending)"
            let after = try await doctor(variables, after: own)
            #expect(!after.codes.contains(broken.code), "\(after)")
        } else {
            try #require(!commands.isEmpty, "there is a command that mends it: \(before)")
            let after = try await doctor(variables, after: commands)
            #expect(!after.codes.contains(broken.code), "\(commands): \(after)")
        }
    }

    @Test(
        .needs(.root),
        arguments: [
            "data", "data/login.keychain", "state/machine-key", "config", "config/config",
        ])
    func namesWhatBelongsToAnotherUser(path: String) async throws {
        let configuration = "mkdir -p \"$H/config\"; : >\"$H/config/config\""
        try await check(
            BrokenSetup(
                name: path, code: "wrong-owner",
                breaking: "\(configuration); chown 12345 \"$H/\(path)\""))
    }

    /// As after `sudo`, with a container's volume, or in another user's home folder.
    @Test(
        .needs(.root, .anotherUser),
        arguments: [
            (
                "mkdir -p .local/share", "can't make the folder 'FOLDER/.local/share/lanyard'",
                "sudo chown 65534 'FOLDER/.local/share'"
            ),
            (
                "mkdir -p -m 700 .local/share", "can't access 'FOLDER/.local/share/lanyard'",
                "sudo chown 65534 'FOLDER/.local/share'"
            ),
            (
                "chown 0 . && chmod 755 .", "can't make the folder 'FOLDER/.local/share/lanyard'",
                "set LANYARD_HOME to a folder of your own"
            ),
            (
                "chown 12345 . && mkdir -p .config/lanyard",
                "can't access 'FOLDER/.local/share/lanyard'",
                "set LANYARD_HOME to a folder of your own"
            ),
        ])
    func namesAFolderInTheWay(breaking: String, what: String, fix: String) async throws {
        let programs = try home.copiesOfPrograms(["lanyard"])
        let folder = try home.folderOfAnotherUser()
        try await home.shell("cd \"$1\" && umask 022 && \(breaking)", folder)
        let variables: [String: String?] = ["LANYARD_HOME": nil, "HOME": folder]
        func run(_ arguments: String...) async throws -> Outcome {
            try await home.command(
                "setpriv", AnotherUser.arguments + ["\(programs)/lanyard"] + arguments,
                variables: variables
            ).run()
        }
        let doctor = try Doctor(try await run("doctor", "--json"))
        let found = try #require(
            doctor.findings.first { $0.code == "place-unusable" }, "\(doctor)")
        #expect(found.what == what.replacing("FOLDER", with: folder) + ": Permission denied")
        #expect(found.advice == fix.replacing("FOLDER", with: folder))
        // The command that fails gives the same advice.
        let creation = try await run("keychain", "create", "login")
        #expect(
            creation.errorText.hasSuffix("lanyard: hint: \(found.advice ?? "")\n"), "\(creation)")
    }

    /// Each file and folder of Lanyard's that its owner can't read, by its mode and the command that mends it.
    @Test(
        .needs(.root, .anotherUser),
        arguments: [
            ("data/login.keychain", 0, "u+rw"), ("data", 0, "u+rwx"), ("data", 0o600, "u+rwx"),
            ("state", 0, "u+rwx"), ("state/machine-key", 0, "u+rw"),
            ("state/login.anchor", 0, "u+rw"),
            ("config", 0, "u+rwx"), ("config/config", 0, "u+rw"),
        ])
    func namesWhatItsOwnerCannotRead(path: String, mode: mode_t, change: String) async throws {
        let programs = try home.copiesOfPrograms(["lanyard"])
        let folder = try home.folderOfAnotherUser()
        let variables: [String: String?] = ["LANYARD_HOME": "\(folder)/l", "HOME": folder]
        func run(_ arguments: [String], _ input: String = "") async throws -> Outcome {
            try await home.command(
                "setpriv", AnotherUser.arguments + ["\(programs)/lanyard"] + arguments,
                input: Array(input.utf8), variables: variables
            ).run()
        }
        #expect(try await run(["set", "x"], "s").status == 0)
        #expect(try await run(["config", "set", "lanyard.timeout", "5m"]).status == 0)
        chmod("\(folder)/l/\(path)", mode)
        let command = "chmod \(change) '\(folder)/l/\(path)'"
        let doctor = try Doctor(try await run(["doctor", "--json"]))
        let found = doctor.findings.filter { $0.code == "place-unusable" }
        #expect(found.map(\.command) == [command], "\(doctor)")
        #expect(!doctor.codes.contains("place-read-only"), "\(doctor)")
        // The command that fails gives the same advice.
        let failed = try await run(["get", "x"])
        #expect(failed.errorText.hasSuffix("lanyard: hint: \(command)\n"), "\(failed)")
        try await home.shell("chmod \(change) \"$1\"", "\(folder)/l/\(path)")
        expectAnswer(try await run(["get", "x"]), "s\n")
    }

    /// The usual command would set HOME to nothing.
    @Test(.needs(.root, .anotherUser)) func aUserWithoutAnAccountNeedsAFolder() async throws {
        let programs = try home.copiesOfPrograms(["lanyard"])
        let outcome = try await home.command(
            "setpriv",
            AnotherUser.arguments(AnotherUser.firstAdded) + [
                "\(programs)/lanyard", "doctor", "--json",
            ],
            variables: ["LANYARD_HOME": nil, "HOME": nil]
        ).run()
        let doctor = try Doctor(outcome)
        let found = try #require(doctor.findings.first { $0.code == "home-missing" }, "\(doctor)")
        #expect(found.command == nil && found.advice?.contains("LANYARD_HOME") == true, "\(doctor)")
    }

    /// With a variable for the configurations, older and newer versions look in different folders.
    @Test func looksInEveryFolderOfContainers() async throws {
        try FileManager.default.createDirectory(
            atPath: "\(home.path)/other", withIntermediateDirectories: false)
        try await check(
            BrokenSetup(
                name: "another folder", code: "containers-not-set-up",
                variables: ["XDG_CONFIG_HOME": "SCRATCH/other"]))
    }

    @Test func aReportTellsOthersNothingOfAnybody() async throws {
        let marks = ["quokka", "bilby", "numbat", "hunter2", "wombat"]
        let broken = try await home.inRepository(
            """
            set -eu
            git config --global credential.https://quokka.example.helper bilby
            git config --global credential.https://wombat.example.helper bilby
            git config credential.https://quokka.example.helper ''
            git remote add numbat https://wombat:hunter2@quokka.example/bilby.git
            echo '{"credHelpers":{"quokka.example":"wombat"},"credsStore":"numbat"}' \
                >"$HOME/.docker/config.json"
            mkdir -p -m 700 "$LANYARD_HOME/config"
            printf '[lanyard]\\n\\tdefault = wombat\\n\\tbilby = 1\\n' >"$LANYARD_HOME/config/config"
            """)
        try #require(broken.status == 0, "\(broken)")
        let variables: [String: String?] = ["GIT_ASKPASS": "\(home.path)/numbat"]
        let whole = try await doctor(variables)
        let report = try await home.inRepository(
            "exec lanyard doctor --report", variables: variables)
        #expect(report.status == 1 && report.error.isEmpty, "\(report)")
        // The same is found, and told without a name.
        for code in whole.codes {
            #expect(report.outputText.contains(": \(code): "), "\(code): \(report)")
        }
        #expect(
            Set(whole.codes).isSuperset(of: [
                "plain-text-url", "docker-helper-missing", "git-helper-for-url",
                "git-helper-for-remote",
            ]), "\(whole)")
        let name = URL(filePath: home.path).lastPathComponent
        for mark in marks + [home.path, name] {
            #expect(!report.outputText.contains(mark), "\(mark): \(report)")
        }
    }

    /// In `git clone URL` twice over a git that asks again there is one reason: here the screen says it.
    @Test func saysOnOneScreenWhyGitAsksAgain() async throws {
        let broken = try await home.inRepository("git config credential.helper ''")
        try #require(broken.status == 0, "\(broken)")
        let screen = try await home.inRepository("exec lanyard doctor")
        #expect(screen.status == 2, "\(screen)")
        #expect(
            screen.outputText.contains(
                """
                warning   an empty credential.helper follows lanyard (local, .git/config) \
                [git-helper-reset]
                          an empty credential.helper hides lanyard from git, which asks again
                          fix: git config --local --unset-all 'credential.helper' '^$'

                """), "\(screen)")
    }
}
