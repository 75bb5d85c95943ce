import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// A watch that misses nothing, whatever the other programs do.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct WatchManyTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    /// Four processes that each start the helper 250 times: 84 logins are added, 83 of them updated and then
    /// deleted.
    @Test func athousandChangesByManyProcesses() async throws {
        let added = (0..<84).map { "added https://w#-\($0).example" }
        let updated = (0..<83).map { "updated https://w#-\($0).example" }
        let deleted = (0..<83).map { "deleted https://w#-\($0).example" }
        try await home.watching { [home] output in
            try await home.shell(
                """
                store() {
                    printf 'protocol=https\\nhost=%s.example\\nusername=ada\\npassword=%s\\n' "$1" "$2" |
                        git-credential-lanyard store
                }
                writer() {
                    for number in $(seq 0 83); do store "$1-$number" one; done
                    for number in $(seq 0 82); do store "$1-$number" two; done
                    for number in $(seq 0 82); do
                        printf 'protocol=https\\nhost=%s.example\\n' "$1-$number" | git-credential-lanyard erase
                    done
                }
                for name in w0 w1 w2 w3; do
                    writer $name &
                    writers="${writers-} $!"
                done
                # A writer that is gone would else be waited for.
                for writer in $writers; do wait "$writer"; done
                """, timeLimit: .seconds(400))
            let events = try await output.wait(for: 1000)
            #expect(events.count == 1000)
            for writer in 0..<4 {
                let own = events.filter { $0.contains("https://w\(writer)-") }
                func name(_ events: [String]) -> [String] {
                    events.map { $0.replacing("#", with: "\(writer)") }
                }
                // Of deletions only the order among themselves is known.
                #expect(own.filter { !$0.hasPrefix("deleted") } == name(added + updated))
                #expect(own.filter { $0.hasPrefix("deleted") } == name(deleted))
            }
        }
    }

    /// More changes in the folders than the kernel remembers, while the watch does not run.
    @Test(.needs(.python)) func aStoppedWatchAfterTooManyChanges() async throws {
        for number in 0..<10 {
            try await home.set("s\(number)", secret: "s")
        }
        try await home.watching { [home] output in
            try await output.stop()
            try await home.shell(
                """
                limit=$(cat /proc/sys/fs/inotify/max_queued_events)
                python3 -c '
                import os, sys
                names = sys.argv[1] + "/one", sys.argv[1] + "/two"
                open(names[0], "w").close()
                for number in range(int(sys.argv[2])):
                    os.rename(names[number % 2], names[1 - number % 2])
                os.unlink(names[int(sys.argv[2]) % 2])
                ' "$LANYARD_HOME/data" "$limit"
                """)
            _ = try await home.lanyard("remove", "s3")
            try await home.set("s5", secret: "another")
            try await home.set("new", secret: "s")
            try await home.set("s1", secret: "another")
            #expect(try output.events().isEmpty)
            kill(output.process, SIGCONT)
            #expect(
                try await output.wait(for: 4) == [
                    "deleted s3", "updated s5", "added new", "updated s1",
                ])
            try await home.set("later", secret: "s")
            #expect(try await output.wait(for: 5).last == "added later")
        }
    }

    /// Programs that are killed at any moment: what the keychain has in the end is what the events say.
    @Test func killedWriters() async throws {
        try await home.set("first", secret: "s")
        try await home.watching { [home] output in
            for number in 0..<40 {
                let command = try home.command(
                    "sh",
                    [
                        "-c",
                        "cd; printf s >s\(number); exec lanyard set --stdin s\(number) <s\(number)",
                    ])
                _ = try await command.run { process in
                    try await Task.sleep(for: .milliseconds(Double.random(in: 1..<40)))
                    kill(process, SIGKILL)
                }
            }
            try await home.set("last", secret: "s")
            let events = try await output.wait { $0.last == "added last" }
            let present = try await home.json("list", "--json").elements.map {
                $0.members["name"]?.text
            }
            #expect(
                Set(events)
                    == Set(
                        present.compactMap { $0 }.map { "added \($0)" }.filter {
                            $0 != "added first"
                        }))
            #expect(Set(events).count == events.count)
        }
    }
}
