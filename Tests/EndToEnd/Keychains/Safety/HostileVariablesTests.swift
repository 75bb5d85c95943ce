import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// Variables that name what can't be a place for a keychain: nothing hangs, nothing is made where it does
/// not belong, and what is wrong is said in one line.
@Suite(.needs(.root, .anotherUser), .timeLimit(.minutes(10)))
struct HostileVariablesTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private static let variables = [
        "LANYARD_HOME", "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
        "XDG_RUNTIME_DIR",
    ]

    @Test(arguments: variables) func nothingHangsAndNothingIsMadeElsewhere(
        _ variable: String
    ) async throws {
        let programs = try home.copiesOfPrograms(["lanyard", "git-credential-lanyard"])
        let own = try home.folder("own", of: AnotherUser.id)
        let theirs = try home.folder("theirs", of: AnotherUser.victim, mode: 0o755)
        let closed = try home.folder("closed", of: AnotherUser.victim, mode: 0o700)
        let shared = try home.folder("shared", of: 0, mode: 0o1777)
        #expect(mkfifo("\(home.path)/fifo", 0o666) == 0)
        chmod("\(home.path)/fifo", 0o666)
        let values = [
            "relative", "../relative", ".", "", "\(own)/../theirs", "\(own)/../../../../../..",
            theirs, closed, shared, "\(home.path)/fifo", "/dev/zero", "/dev/full", "/dev/stdin",
            "/dev/fd/0", "/proc/self/fd/0", "/proc/self/cwd", "/proc/self/root", "/proc/1/root",
            "/proc/self/exe", "/proc/self/mem", "/sys", "/", "//", "\(own)/\u{1B}[31m\n",
            "/" + String(repeating: "a/", count: 2500), "/" + String(repeating: "a", count: 5000),
            "\(own)/" + String(repeating: "b/", count: 300),
        ]
        let before = try [theirs, closed].map { try Snapshot($0) }
        let script = """
            programs=$1 own=$2 variable=$3; shift 3
            umask 000
            cd "$own"
            export HOME="$own/home"; unset LANYARD_HOME
            mkdir "$HOME"
            for value; do
                for call in "git-credential-lanyard store" "git-credential-lanyard get" \\
                    "lanyard status"; do
                    answer=$(printf 'protocol=https\\nhost=a\\nusername=u\\npassword=p\\n\\n' |
                        env "$variable=$value" timeout -s KILL 10 "$programs/"$call 2>&1 >/dev/null)
                    status=$?
                    printf '%s %s: %s\\n--\\n' "$status" "$call" "$answer"
                done
            done
            """
        let outcome = try await home.command(
            "setpriv",
            AnotherUser.arguments + ["sh", "-c", script, "sh", programs, own, variable] + values
        ).run()
        #expect(outcome.status == 0, "\(outcome)")
        let calls = outcome.outputText.split(separator: "\n--\n")
        #expect(calls.count == values.count * 3)
        for call in calls {
            // It did not end in time, or a signal ended it. 134 and 139 are no status of an error either.
            let status = try #require(Int(call.prefix { $0 != " " }))
            #expect(!(124...165).contains(status), "\(call.prefix(300))")
            let lines = call.split(separator: ": ", maxSplits: 1).last?.split(separator: "\n") ?? []
            if status != 0 {
                #expect(
                    lines.count <= 2 && lines.first?.hasPrefix("lanyard: error: ") == true,
                    "\(call.prefix(300))")
            }
        }
        for (folder, old) in zip([theirs, closed], before) {
            #expect(try Snapshot(folder).differences(from: old) == [])
        }
        // In a folder that all can write to, new files are private.
        for (name, entry) in try Snapshot(shared).entries where !name.isEmpty {
            #expect(entry.permissions & 0o077 == 0 && entry.owner == AnotherUser.id, "\(name)")
        }
        print("\(variable): \(calls.count) calls with \(values.count) values")
    }
}
