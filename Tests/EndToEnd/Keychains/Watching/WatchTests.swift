import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// `lanyard watch` beside other programs that change the keychain.
@Suite(.timeLimit(.minutes(10)))
struct WatchTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    @Test func itemsOfAllPrograms() async throws {
        try await home.set("before", secret: "the secret")
        try await home.watching { [home] output in
            #expect(
                try output.lines() == [["event": "watching", "keychains": ["login"]]])
            try await home.set("x", "ada", secret: "the secret")
            try await home.store(
                "protocol=https\nhost=example.com\nusername=ada\npassword=the secret\n")
            try await home.set("x", "ada", secret: "another secret")
            _ = try await home.lanyard("remove", "x", "ada")
            #expect(
                try await output.wait(for: 4) == [
                    "added x", "added https://example.com", "updated x", "deleted x",
                ])
            let lines = try output.lines()
            let id = lines[1].members["id"]
            #expect(
                id?.text?.count == 32 && id == lines[3].members["id"]
                    && id == lines[4].members["id"])
            #expect(
                lines[2].withoutDates.members.filter { $0.key != "id" } == [
                    "event": "added", "keychain": "login", "class": "internet-password",
                    "name": "https://example.com", "group": "git", "account": "ada",
                    "accessible": "ak", "protocol": "htps", "server": "example.com",
                    "label": "Git: https://example.com/",
                ])
            let text = String(decoding: try home.read(output.file), as: UTF8.self)
            #expect(!text.contains("secret"))
        }
    }

    @Test func oneGroupOfOneKeychain() async throws {
        _ = try await home.lanyard("keychain", "create", "work")
        try await home.watching("--group", "git", "--keychain", "work") { [home] output in
            #expect(try output.lines() == [["event": "watching", "keychains": ["work"]]])
            try await home.set("x", secret: "s")
            try await home.set("x", "--keychain", "work", secret: "s")
            try await home.set("https://a.example", "ada", "--group", "git", secret: "s")
            try await home.set(
                "https://b.example", "ada", "--group", "git", "--keychain", "work", secret: "s")
            #expect(try await output.wait(for: 1) == ["added https://b.example"])
        }
    }

    @Test func aNameThatDoesNotExist() async throws {
        let outcome = try await home.lanyard("watch", "--keychain", "wrok")
        #expect(outcome.status != 0 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText.contains("keychain 'wrok' not found"), "\(outcome)")
        let other = try await home.lanyard("watch", "--keychain", "secret-service")
        #expect(other.errorText.contains("not a sealed file"), "\(other)")
    }

    @Test func linesForPeople() async throws {
        try await home.set("x", "ada", secret: "the secret")
        let outcome = try await home.shell(
            """
            cd
            lanyard watch >lines & watch=$!
            until [ -s lines ]; do sleep 0.02; done
            lanyard remove x ada
            until [ "$(wc -l <lines)" = 2 ]; do sleep 0.02; done
            kill $watch
            cat lines
            """)
        #expect(
            outcome.outputText == "watching  login\ndeleted   login  login  x  ada\n", "\(outcome)")
    }

    @Test func theReaderGoes() async throws {
        try await home.set("x", secret: "the secret")
        // Nothing more is ever written: the end of the pipe has to be seen.
        let outcome = try await home.shell(
            "lanyard watch --json | head -n 1", timeLimit: .seconds(60))
        #expect(outcome.outputText == "{\"event\":\"watching\",\"keychains\":[\"login\"]}\n")
        for signal in ["TERM", "HUP"] {
            let ended = try await home.shell(
                "cd; lanyard watch >lines & sleep 0.3; kill -s \(signal) $!; wait $! || echo \"$?\""
            )
            #expect(ended.outputText.hasPrefix("1"), "\(ended)")
        }
    }

    @Test(.needs(.keyrings)) func lockedAndUnlocked() async throws {
        try await home.set("x", secret: "the secret")
        try await home.setPassphrase()
        try await home.forgettingKeys {
            try await home.watching { [home] output in
                try await home.unlock()
                try await output.wait(for: 1)
                // Attributes are readable while it is locked.
                expectAnswer(try await home.lanyard("lock"), "")
                try await output.wait(for: 2)
                _ = try await home.lanyard("remove", "x")
                try await output.wait(for: 3)
                try await home.unlock(timeout: "4s")
                #expect(
                    try await output.wait(for: 5) == [
                        "unlocked login", "locked login", "deleted x", "unlocked login",
                        "locked login",
                    ])
            }
        }
    }

    @Test func anotherSearchListAndDefault() async throws {
        try await home.set("x", secret: "s")
        try await home.watching { [home] output in
            _ = try await home.lanyard("keychain", "create", "work")
            _ = try await home.lanyard("keychain", "search-list", "login", "work")
            try await output.wait(for: 1)
            _ = try await home.lanyard("keychain", "default", "work")
            try await output.wait(for: 2)
            try await home.set("y", secret: "s")
            try await output.wait(for: 3)
            // It leaves the search list, too, perhaps before its items are seen to be gone.
            expectAnswer(try await home.lanyard("keychain", "delete", "--yes", "login"), "")
            try await output.wait { $0.last == "keychain-list-changed" }
            try await home.set("z", secret: "s")
            let events = try await output.wait { $0.last == "added z" }
            #expect(
                events.filter { $0 != "deleted x" } == [
                    "keychain-list-changed", "default-changed work", "added y",
                    "keychain-list-changed", "added z",
                ])
        }
    }
}
