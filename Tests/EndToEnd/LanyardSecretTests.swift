import Foundation
import Glibc
import Testing

/// Secrets go in and out as they are, and nowhere else.
@Suite(.timeLimit(.minutes(10)))
struct LanyardSecretTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    static let secrets: [[UInt8]] = [
        [], [0], [10], [10, 10], [13, 10], Array(0...255), Array("ä\n".utf8), [0xFF, 0xFE],
        Array(repeating: 0, count: 4096), Array(repeating: 10, count: 8192),
        (0..<(2 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) },
    ]

    @Test(arguments: secrets)
    func getPrintsTheSecretAndANewline(_ secret: [UInt8]) async throws {
        // One more newline, which set takes off.
        let set = try await home.command("lanyard", ["set", "x", "--stdin"], input: secret + [10])
            .run()
        expectAnswer(set, "")
        let get = try await home.command("lanyard", ["get", "x"]).run()
        #expect(get.status == 0 && get.error.isEmpty)
        #expect(get.output == secret + [10], "\(secret.count) bytes became \(get.output.count)")
    }

    @Test func aLongerSecretIsRefusedAndNothingStored() async throws {
        let secret = [UInt8](repeating: 65, count: 2 << 20 + 1)
        let set = try await home.command("lanyard", ["set", "x", "--stdin"], input: secret).run()
        #expect(set.status == 42)
        #expect(set.errorText.hasPrefix("lanyard: error: the secret is "))
        #expect(set.errorText.split(separator: "\n").count == 1)
        #expect(try await home.lanyard("get", "x").status == 44)
    }

    @Test func getNeverReadsStandardInput() async throws {
        try await home.set("x", secret: "s")
        let outcome = try await home.shell(
            "printf 'first\\nsecond\\n' | { lanyard get x; lanyard get x --json >/dev/null; cat; }")
        expectAnswer(outcome, "s\nfirst\nsecond\n")
    }

    @Test func noOtherCommandAndNoErrorPrintsASecret() async throws {
        let outcome = try await home.shell(
            """
            printf 'distinctive-secret\\n' | lanyard set x --stdin >"$HOME/said" 2>&1
            lanyard list >>"$HOME/said" 2>&1
            lanyard list --json >>"$HOME/said" 2>&1
            lanyard status --json >>"$HOME/said" 2>&1
            lanyard get x --group none >>"$HOME/said" 2>&1 || :
            printf 'distinctive-secret\\n' | lanyard set x --stdin --no-replace >>"$HOME/said" 2>&1 || :
            printf 'distinctive-secret\\n' | lanyard set '' --stdin >>"$HOME/said" 2>&1 || :
            cat "$HOME/said"
            """)
        #expect(!outcome.outputText.contains("distinctive"))
        #expect(outcome.outputText.contains("already"))
    }
}
