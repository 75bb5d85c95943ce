import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// Secrets go in and out as they are, and nowhere else.
@Suite(.timeLimit(.minutes(10)))
struct LanyardSecretTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    /// Some bytes; two million of them are not for a test's messages.
    struct Bytes: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]

        init(_ description: String, _ bytes: [UInt8]) {
            testDescription = description
            self.bytes = bytes
        }
    }

    static let secrets = [
        Bytes("empty", []), Bytes("NUL", [0]), Bytes("newline", [10]),
        Bytes("newlines", [10, 10]), Bytes("CR, LF", [13, 10]), Bytes("all", Array(0...255)),
        Bytes("text", Array("ä\n".utf8)), Bytes("not UTF-8", [0xFF, 0xFE]),
        Bytes("NULs", Array(repeating: 0, count: 4096)),
        Bytes("many newlines", Array(repeating: 10, count: 8192)),
        Bytes("2 MiB", (0..<(2 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }),
    ]

    @Test(arguments: secrets)
    func getPrintsTheSecretAndANewline(_ secret: Bytes) async throws {
        // One more newline, which set takes off.
        let set = try await home.command(
            "lanyard", ["set", "x", "--stdin", "--allow-empty"], input: secret.bytes + [10]
        ).run()
        expectAnswer(set, "")
        let get = try await home.command("lanyard", ["get", "x"]).run()
        let isRight = get.status == 0 && get.error.isEmpty && get.output == secret.bytes + [10]
        #expect(isRight, "\(secret.bytes.count) bytes became \(get.output.count): \(get.errorText)")
    }

    /// A server would get it as a part of the password.
    @Test func aCarriageReturnAtTheEndIsStoredWithAWarning() async throws {
        let set = try await home.lanyard("set", "x", "--stdin", input: "pw\r\n")
        #expect(set.status == 0)
        #expect(
            set.errorText
                == "lanyard: warning: the secret ends with a carriage return, as lines on Windows do\n"
        )
        expectAnswer(try await home.lanyard("get", "x"), "pw\r\n")
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
