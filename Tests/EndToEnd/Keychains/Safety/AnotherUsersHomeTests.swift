import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// A program that is run in a home folder that belongs to another user, as by `sudo` without `-H`.
@Suite(.needs(.root, .anotherUser), .timeLimit(.minutes(10)))
struct AnotherUsersHomeTests {
    let home: ScratchHome
    /// The other user's home folder.
    private let theirs: String
    private let marker = "distinctive-setting"

    init() throws {
        home = try ScratchHome()
        theirs = try home.folder("theirs", of: AnotherUser.id, mode: 0o755)
    }

    private var variables: [String: String?] { ["LANYARD_HOME": nil, "HOME": theirs] }

    private func run(_ program: Executable, _ arguments: [String]) async throws -> Outcome {
        let input = arguments == program.storing ? program.login("x") : program.question
        return try await home.command(
            program.name, arguments, input: Array(input.utf8), variables: variables
        ).run()
    }

    /// They put a link in their home that leads to a folder or file of root's.
    @Test(arguments: [
        ".local", ".local/share", ".local/share/lanyard", ".local/state", ".local/state/lanyard",
        ".config", ".config/lanyard", ".config/lanyard/config",
    ])
    func aLinkOfTheirsLeadsNowhere(_ place: String) async throws {
        let roots = "\(home.path)/roots"
        try await home.shell(
            """
            mkdir -m 700 "$1" "$1/folder"
            printf '[lanyard]\\n\\tdefault = %s\\n' "$5" >"$1/config"
            chmod 600 "$1/config"
            target=$1/folder
            [ "$2" != .config/lanyard/config ] || target=$1/config
            [ "$2" != .config/lanyard ] || target=$1
            [ "$2" != .config ] || { ln -s .. "$1/folder/lanyard"; mv "$1/config" "$1/c"; }
            setpriv --reuid="$4" --regid="$4" --clear-groups sh -euc '
                cd "$1"; mkdir -p "$(dirname "$2")"; ln -s "$3" "$2"' sh "$3" "$2" "$target"
            """, roots, place, theirs, "\(AnotherUser.id)", marker)
        let before = try Snapshot(roots)
        for program in [Executable.git, .docker, .lanyard] {
            for arguments in [program.storing, program.getting, ["list"], ["status"]] {
                let outcome = try await run(program, arguments)
                let told = outcome.outputText + outcome.errorText
                #expect(!told.contains(marker), "\(outcome)")
                if arguments == program.storing {
                    #expect(outcome.status != 0 && told.contains("symbolic link"), "\(outcome)")
                }
                #expect(try Snapshot(roots).differences(from: before) == [], "\(outcome)")
            }
        }
    }

    /// Theirs stays theirs: a command that root runs does not take it away.
    @Test func theHintDoesNoHarm() async throws {
        let programs = try home.copiesOfPrograms([Executable.git.name])
        let stored = try await home.command(
            "setpriv", AnotherUser.arguments + ["\(programs)/\(Executable.git.name)", "store"],
            input: Array(Executable.git.login("x").utf8), variables: variables
        ).run()
        expectAnswer(stored, "")
        let before = try Snapshot(theirs)
        for arguments in [["get"], ["store"]] {
            let hint = expectRefusal(
                try await run(.git, arguments), "belongs to another user", secret: "password=x")
            #expect(hint == "use root's own home folder, as sudo -H does")
        }
        #expect(try Snapshot(theirs).differences(from: before) == [])
    }

    /// What root made there, as in a container, is theirs again after as many commands as there are folders.
    @Test func theHintsTakeOverWhatRootMade() async throws {
        let programs = try home.copiesOfPrograms([Executable.git.name])
        expectAnswer(try await run(.git, Executable.git.storing), "")
        let set = try await home.command(
            "lanyard", ["config", "set", "log", "true"], variables: variables
        ).run()
        #expect(set.status == 0, "\(set)")
        var commands: [String] = []
        while commands.count < 9 {
            let got = try await home.command(
                "setpriv", AnotherUser.arguments + ["\(programs)/\(Executable.git.name)", "get"],
                input: Array(Executable.git.question.utf8), variables: variables
            ).run()
            guard got.status != 0 else {
                #expect(got.outputText.contains("password=x\n"), "\(got)")
                break
            }
            let hint = expectRefusal(got, theirs, secret: "password=x")
            let command = try #require(hint?.split(separator: "sudo ").last.map(String.init))
            try #require(command.hasPrefix("chown "), "\(got)")
            commands.append(command.replacing("\(theirs)/", with: ""))
            try await home.shell(command)
        }
        #expect(
            commands.map { $0.replacing("\(AnotherUser.id) ", with: "") } == [
                "chown '.config'", "chown -R '.config/lanyard'", "chown '.local'",
                "chown '.local/share'", "chown -R '.local/share/lanyard'", "chown '.local/state'",
                "chown -R '.local/state/lanyard'",
            ])
    }

    /// They could read nothing of what root makes there under sudo. What root made there in another way, as in containers,
    /// stays of use.
    @Test func sudoMakesNothingThere() async throws {
        let sudo = variables.merging(["SUDO_UID": "\(AnotherUser.id)"]) { $1 }
        func run(_ program: String, _ arguments: [String], input: String) async throws -> Outcome {
            try await home.command(
                program, arguments, input: Array(input.utf8), variables: sudo
            ).run()
        }
        let login = Executable.git.login("x")
        let before = try Snapshot(theirs)
        for (program, arguments, input) in [
            ("git-credential-lanyard", ["store"], login),
            ("lanyard", ["set", "--stdin", "a"], "x"),
            ("lanyard", ["config", "set", "log", "true"], ""),
            ("lanyard", ["setup", "git"], ""),
        ] {
            let outcome = try await run(program, arguments, input: input)
            #expect(outcome.status != 0, "\(outcome)")
            #expect(
                outcome.errorText.hasSuffix(
                    """
                     as root: it would be in another user's folder
                    lanyard: hint: leave out sudo, or use root's own home folder, as sudo -H does

                    """), "\(outcome)")
        }
        #expect(try Snapshot(theirs).differences(from: before) == [])
        let stored = try await self.run(.git, ["store"])
        expectAnswer(stored, "")
        let got = try await run("git-credential-lanyard", ["get"], input: Executable.git.question)
        #expect(got.status == 0 && got.outputText.contains("password=x\n"), "\(got)")
    }

    /// A folder that was named is meant, as one for CI in a checkout.
    @Test func sudoUsesTheFolderThatWasNamed() async throws {
        let outcome = try await home.command(
            "lanyard", ["set", "--stdin", "a"], input: Array("x".utf8),
            variables: [
                "LANYARD_HOME": "\(theirs)/ci", "HOME": theirs, "SUDO_UID": "\(AnotherUser.id)",
            ]
        ).run()
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: theirs) == ["ci"])
    }

    /// In a place where anybody can put something, what another user put there is not to be adopted.
    @Test(arguments: ["data", "state"]) func whatOthersPutThereIsNotAdopted(
        _ place: String
    ) async throws {
        let programs = try home.copiesOfPrograms([Executable.git.name])
        let shared = try home.folder("shared", of: 0, mode: 0o1777)
        _ = try home.folder("shared/\(place)", of: AnotherUser.id)
        let outcome = try await home.command(
            "setpriv",
            AnotherUser.arguments(AnotherUser.victim)
                + ["\(programs)/\(Executable.git.name)", "store"],
            input: Array(Executable.git.login("x").utf8), variables: ["LANYARD_HOME": shared]
        ).run()
        let hint = expectRefusal(outcome, "belongs to another user", secret: "password=x")
        #expect(hint == "use a folder of its own")
    }
}
