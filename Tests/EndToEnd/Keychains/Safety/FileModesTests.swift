import Foundation
import Testing
@testable import EndToEndRig

/// Files and folders are their owner's alone from the first instant, whatever the umask.
@Suite(.timeLimit(.minutes(10)))
struct FileModesTests {
    let home: ScratchHome
    let login = "protocol=https\nhost=example.com\nusername=ada\npassword=distinctive-secret\n"

    init() throws {
        home = try ScratchHome()
    }

    private func expectPrivate(
        _ folder: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let snapshot = try Snapshot(folder)
        #expect(snapshot.contents.count == 3, sourceLocation: sourceLocation)
        for (name, entry) in snapshot.entries {
            #expect(
                entry.permissions == (entry.isFolder ? 0o700 : 0o600), "\(name)",
                sourceLocation: sourceLocation)
        }
    }

    /// The last two take the owner's own rights, too.
    @Test(arguments: ["000", "022", "077", "377", "777"])
    func anyUmask(_ umask: String) async throws {
        for _ in 0..<2 {
            let outcome = try await home.command(
                "sh", ["-c", "umask \(umask); exec git-credential-lanyard store"],
                input: Array(login.utf8)
            ).run()
            expectAnswer(outcome, "")
            try expectPrivate(home.lanyard)
        }
    }

    @Test func theFoldersOfTheXDGSpecification() async throws {
        let outcome = try await home.command(
            "sh", ["-c", "umask 000; exec git-credential-lanyard store"], input: Array(login.utf8),
            variables: ["LANYARD_HOME": nil]
        ).run()
        expectAnswer(outcome, "")
        try expectPrivate("\(home.path)/home")
        let names = try Snapshot("\(home.path)/home").contents.keys
        #expect(names.contains(".local/share/lanyard/login.keychain"))
        #expect(names.contains(".local/state/lanyard/machine-key"))
    }

    @Test(.needs(.tracing, .secretsOfProcesses))
    func noCallMakesAnythingThatOthersCanOpen() async throws {
        let calls = "\(home.path)/calls"
        let outcome = try await home.command(
            "sh",
            [
                "-euc",
                """
                umask 000
                strace -f -o "$1.first" -e trace=%file,fchmod,%desc git-credential-lanyard store
                printf 'protocol=https\\nhost=b\\npassword=b\\n' |
                    strace -f -o "$1.second" -e trace=%file,fchmod,%desc git-credential-lanyard store
                """, "sh", calls,
            ], input: Array(login.utf8)
        ).run()
        expectAnswer(outcome, "")
        let lines = try ["first", "second"].flatMap {
            try String(contentsOfFile: "\(calls).\($0)", encoding: .utf8).split(separator: "\n")
        }
        var made: [Substring] = []
        for line in lines {
            if let mode = line.firstMatch(of: /\bopen(?:at)?\(.*O_CREAT.*, (0\d+)\)/) {
                #expect(mode.1 == "0600", "\(line)")
                made.append(line)
            } else if let mode = line.firstMatch(of: /\bmkdir(?:at)?\(.*, (0\d+)\)/) {
                #expect(mode.1 == "0700", "\(line)")
                made.append(line)
            }
            #expect(
                line.firstMatch(of: /\b(creat|mknod|mknodat|chmod|fchmodat|fchmod)\(/) == nil,
                "\(line)")
        }
        // LANYARD_HOME, data, state; machine key, keychain, generation; a journal for each change.
        #expect(made.count >= 8, "\(made)")
        #expect(made.contains { $0.contains("login.keychain-journal") }, "\(made)")
    }
}
