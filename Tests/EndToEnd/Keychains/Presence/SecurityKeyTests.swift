import Foundation
import Glibc
import Testing
@testable import EndToEndRig
import TestSupport

extension Need {
    /// Debian's tools for security keys, and what a scripted one takes.
    static let securityKeys = Need(
        missing: "there is no fido2-tools, no python3-fido2 with python3-cryptography, or no gcc"
    ) {
        try await succeeds(
            "sh", "-c",
            """
            command -v fido2-assert fido2-cred fido2-token gcc
            /usr/bin/python3 -c "from fido2 import cbor; import cryptography"
            """)
    }
}

/// The items that ask, with the real fido2-tools. They have a library loaded that puts them on sockets, on which scripted
/// authenticators speak CTAP: see the files in Authenticator. Lanyard itself knows nothing of that.
@Suite(.needs(.securityKeys, .keyrings), .timeLimit(.minutes(5)))
struct SecurityKeyTests {
    let bench: SecurityKeyBench
    var home: ScratchHome { bench.home }

    init() async throws {
        bench = try await SecurityKeyBench()
    }

    @Test func oneTouchServesAGroupOfUses() async throws {
        try await bench.plugIn("one")
        let recoveryKey = try await bench.add()
        try await bench.store("token", "publish")
        #expect(try bench.log("one") == ["make", "get", "get-silently", "get"])
        for program in ["lanyard", "sh"] {
            let outcome = try await bench.run(
                program,
                program == "sh" ? ["-c", "lanyard get token"] : ["get", "token"])
            #expect(outcome.outputText == "publish\n", "\(outcome)")
            #expect(outcome.error.isEmpty, "\(outcome)")
        }
        #expect(try bench.log("one").count == 4)
        expectAnswer(try await bench.lanyard("lock"), "")
        let touched = try await bench.lanyard("get", "token")
        #expect(touched.outputText == "publish\n", "\(touched)")
        #expect(
            touched.errorText
                == "lanyard: touch the security key 'Lanyard Test Key': Use 'token' of the keychain 'login'\n",
            "\(touched)")
        // A lost one loses nothing.
        try await bench.unplug("one")
        #expect(try await bench.lanyard("lock").status == 0)
        let recovery = try home.write(recoveryKey, to: "recovery-key")
        let recovered = try await bench.lanyard(
            "get", "token", variables: ["LANYARD_PASSPHRASE_FILE": recovery])
        #expect(recovered.outputText == "publish\n", "\(recovered)")
    }

    @Test(
        arguments: [
            ("deny", 128, "the security key refused", "the item"),
            ("timeout", 128, "was not touched in time", "touch it when it blinks"),
            ("gone", 36, "does not answer", "plug it in again"),
            ("pin", 36, "asks for its PIN, and there is no terminal", "use it at a terminal"),
        ] as [(String, Int32, String, String)])
    func aKeyThatDoesNotAnswer(
        _ script: String, _ status: Int32, _ reason: String, _ hint: String
    ) async throws {
        try await bench.plugIn("one")
        try await bench.add()
        try await bench.store("token", "publish")
        #expect(try await bench.lanyard("lock").status == 0)
        try bench.script("one", script)
        let outcome = try await bench.lanyard("get", "token")
        #expect(outcome.status == status, "\(outcome)")
        #expect(outcome.outputText == "", "\(outcome)")
        let lines = outcome.errorText.split(separator: "\n")
        #expect(lines.first?.hasPrefix("lanyard: touch the security key") == true, "\(outcome)")
        #expect(lines.count { $0.hasPrefix("lanyard: error: ") } == 1, "\(outcome)")
        #expect(outcome.errorText.contains(reason), "\(outcome)")
        #expect(script == "deny" || outcome.errorText.contains(hint), "\(outcome)")
        try bench.script("one", "touch")
        #expect(try await bench.lanyard("get", "token").outputText == "publish\n")
    }

    @Test func noKeyAndAWrongOne() async throws {
        try await bench.plugIn("one")
        try await bench.add()
        try await bench.store("token", "publish")
        #expect(try await bench.lanyard("lock").status == 0)
        try await bench.unplug("one")
        try await bench.expectRefusal("no security key is plugged in")
        try await bench.plugIn("two")
        try await bench.expectRefusal("not one that is enrolled for this keychain")
        // It was not even asked for a touch.
        #expect(try bench.log("two") == ["get-silently"])
        // A tool must not take it for a missing login.
        let helper = try await home.command(
            "git-credential-lanyard", ["get"],
            input: Array("protocol=https\nhost=a.example\n".utf8),
            variables: bench.variables
        ).run()
        #expect(helper.status == 0, "\(helper)")
        // Both plugged in: the enrolled one is found.
        try await bench.plugIn("one")
        #expect(try await bench.lanyard("get", "token").outputText == "publish\n")
        let silent = try await bench.lanyard(
            "get", "token", variables: ["LANYARD_NO_PROMPT": "1"])
        #expect(silent.outputText == "publish\n", "\(silent)")
        #expect(try await bench.lanyard("lock").status == 0)
        let refused = try await bench.lanyard(
            "get", "token", variables: ["LANYARD_NO_PROMPT": "1"])
        #expect(refused.status == 36, "\(refused)")
    }

    @Test func aSecondKeyAndItsRemoval() async throws {
        try await bench.plugIn("one")
        let recoveryKey = try await bench.add()
        let recovery = try home.write(recoveryKey, to: "recovery-key")
        try await bench.store("token", "publish")
        try await bench.plugIn("two")
        try await bench.plugIn("three")
        let several = try await bench.lanyard("presence", "add", "--name", "two")
        #expect(several.status != 0)
        #expect(several.errorText.contains("several security keys"), "\(several)")
        try await bench.unplug("three")
        try await bench.unplug("one")
        let added = try await bench.lanyard(
            "presence", "add", "--name", "two", "--for", "0s",
            variables: ["LANYARD_PASSPHRASE_FILE": recovery])
        #expect(added.status == 0, "\(added)")
        #expect(added.outputText == "", "\(added)")
        for _ in 0..<2 {
            let outcome = try await bench.lanyard("get", "token")
            #expect(outcome.outputText == "publish\n", "\(outcome)")
            #expect(outcome.errorText.contains("touch the security key"), "\(outcome)")
        }
        let list = try await bench.lanyard("presence", "list", "--json")
        #expect(
            list.outputText.replacing(/20..-..-..T..:..:..Z/, with: "TIME")
                == #"[{"name":"Lanyard Test Key","program":"fido2","seconds":300,"added":"TIME"},"#
                + #"{"name":"two","program":"fido2","seconds":0,"added":"TIME"}]"# + "\n")
        let status = try await bench.lanyard("status", "--json")
        #expect(
            status.outputText.contains(
                "\"security_keys\":\(list.outputText.dropLast())"), "\(status)")
        #expect(try await bench.lanyard("presence", "remove", "two").status == 0)
        try await bench.expectRefusal("not one that is enrolled for this keychain")
        let last = try await bench.lanyard("presence", "remove", "Lanyard Test Key")
        #expect(last.errorText.contains("1 item that asks"), "\(last)")
    }

    /// Both plugged in: the touch of the first adds the second.
    @Test func theTouchOfOneAddsAnother() async throws {
        try await bench.plugIn("one")
        try await bench.add()
        try await bench.plugIn("two")
        let added = try await bench.lanyard("presence", "add", "--name", "two")
        #expect(added.status == 0, "\(added)")
        #expect(try bench.log("two").suffix(2) == ["make", "get"])
        try await bench.store("token", "publish")
        // They are enough: a recovery key that others have seen is revoked for good, with a touch of both.
        let removed = try await bench.lanyard("recovery-key", "remove", "--rekey", "--yes")
        #expect(removed.status == 0, "\(removed)")
        #expect(!removed.errorText.contains("until you add"), "\(removed)")
        for name in ["one", "two"] {
            try await bench.unplug(name == "one" ? "two" : "one")
            try await bench.plugIn(name)
            #expect(try await bench.lanyard("lock").status == 0)
            #expect(try await bench.lanyard("get", "token").outputText == "publish\n")
        }
    }

    /// With one security key and no passphrase, each hint is a command that works.
    @Test func theHintsForARecoveryKeyLeadOut() async throws {
        try await bench.plugIn("one")
        let first = try await bench.add()
        try await bench.store("token", "publish")
        for (action, status) in [("remove", 64), ("create", 45)] {
            let refused = try await bench.lanyard("recovery-key", action)
            #expect(refused.status == Int32(status), "\(refused)")
            #expect(
                refused.errorText.hasSuffix("lanyard recovery-key create --replace\n"),
                "\(refused)")
        }
        try await bench.unplug("one")
        let missing = try await bench.lanyard("recovery-key", "create", "--replace")
        #expect(missing.status == 36, "\(missing)")
        #expect(missing.errorText.contains("error: no security key is plugged in"), "\(missing)")
        try await bench.plugIn("one")
        let replaced = try await bench.lanyard("recovery-key", "create", "--replace")
        #expect(replaced.status == 0, "\(replaced)")
        try await bench.unplug("one")
        #expect(try await bench.lanyard("lock").status == 0)
        for (key, isRight) in [(first, false), (replaced.outputText, true)] {
            let file = try home.write(key, to: "recovery-key")
            let outcome = try await bench.lanyard(
                "get", "token", variables: ["LANYARD_PASSPHRASE_FILE": file])
            #expect((outcome.outputText == "publish\n") == isRight, "\(outcome)")
        }
    }

    /// A key that can't be printed revokes nothing, and adds nothing.
    @Test func aRecoveryKeyThatIsNotShownChangesNothing() async throws {
        for command in ["recovery-key create", "presence add"] {
            try await bench.plugIn("one")
            let failed = try await bench.run("sh", ["-c", "lanyard \(command) >/dev/full"])
            #expect(failed.errorText.contains("can't be written"), "\(failed)")
            let status = try await bench.lanyard("status", "--json")
            #expect(status.outputText.contains("\"recovery_key\":false"), "\(status)")
            #expect(status.outputText.contains("\"security_keys\":[]"), "\(status)")
        }
        let old = try await bench.add()
        try await bench.store("token", "publish")
        let failed = try await bench.run(
            "sh", ["-c", "lanyard recovery-key create --replace >/dev/full"])
        #expect(failed.errorText.contains("can't be written"), "\(failed)")
        try await bench.unplug("one")
        #expect(try await bench.lanyard("lock").status == 0)
        let file = try home.write(old, to: "recovery-key")
        let opened = try await bench.lanyard(
            "get", "token", variables: ["LANYARD_PASSPHRASE_FILE": file])
        #expect(opened.outputText == "publish\n", "\(opened)")
    }

    /// Another program's question may take minutes.
    @Test func whatMustNotAskWaitsForNoOtherQuestion() async throws {
        try await bench.plugIn("one")
        try await bench.add()
        try await bench.store("token", "publish")
        #expect(try await bench.lanyard("lock").status == 0)
        let outcome = try await bench.run(
            "sh",
            [
                "-c",
                "flock \"$LANYARD_HOME/state/machine-key\" timeout 30 lanyard get --timeout 2s token",
            ])
        #expect(outcome.status == 36, "\(outcome)")
        #expect(outcome.errorText.contains("can't prompt here"), "\(outcome)")
    }

    /// Another keychain's recovery key must not be replaced.
    @Test func theHintsNameTheKeychain() async throws {
        try await home.succeeds("lanyard", "keychain", "create", "work")
        try await bench.plugIn("one")
        let file = try home.write("pass", to: "passphrase")
        let set = try await bench.lanyard(
            "passphrase", "set", "--yes", "--keychain", "work", "--new-passphrase-file", file)
        #expect(set.status == 0, "\(set)")
        #expect(
            try await bench.lanyard(
                "recovery-key", "create", "--keychain", "work",
                variables: ["LANYARD_PASSPHRASE_FILE": file]
            ).status == 0)
        let added = try await bench.lanyard(
            "presence", "add", "--keychain", "work",
            variables: ["LANYARD_PASSPHRASE_FILE": file])
        #expect(added.status == 0, "\(added)")
        #expect(
            added.errorText.contains(
                "lanyard recovery-key create --replace --keychain work makes one that does"),
            "\(added)")
    }

    @Test func aGivenRecoveryKeyAnswersInsteadOfTheSecurityKeys() async throws {
        try await bench.plugIn("one")
        let file = try home.write(try await bench.add(), to: "recovery-key")
        try await bench.plugIn("two")
        #expect(try await bench.lanyard("presence", "add", "--name", "two").status == 0)
        try await bench.store("token", "publish")
        let refused = try await bench.lanyard(
            "recovery-key", "remove", "--rekey", "--yes",
            variables: ["LANYARD_PASSPHRASE_FILE": file])
        #expect(refused.status == 64, "\(refused)")
        #expect(refused.errorText.contains("without LANYARD_PASSPHRASE_FILE"), "\(refused)")
        let removed = try await bench.lanyard("recovery-key", "remove", "--rekey", "--yes")
        #expect(removed.status == 0, "\(removed)")
    }

    @Test(arguments: ["x", "never", "2d"])
    func aTimeThatNoTouchServes(_ time: String) async throws {
        let outcome = try await bench.lanyard("presence", "add", "--for", time)
        #expect(
            outcome.errorText
                == """
                lanyard: error: a touch can't serve for '\(time)': a day at most
                lanyard: hint: for example --for 15m, or --for 0s for each use

                """)
    }

    /// A second name for it is no second key.
    @Test func theSameKeyIsNotAddedTwice() async throws {
        try await bench.plugIn("one")
        try await bench.add()
        let again = try await bench.lanyard("presence", "add", "--name", "another")
        #expect(again.status == 45, "\(again)")
        #expect(again.outputText == "", "\(again)")
        #expect(
            again.errorText.hasSuffix(
                """
                lanyard: error: the security key 'Lanyard Test Key' opens the items that ask already
                lanyard: hint: plug in another security key: a second name for it is no second way

                """), "\(again)")
        #expect(try bench.log("one").count { $0 == "make" } == 1)
    }

    /// The tools print a device's name as it is.
    @Test func aDeviceNamesNoOther() async throws {
        try await bench.plugIn("one")
        try bench.setProduct("Test Key)\n\(bench.socket("two")): vendor=0x1, product=0x1 (Forged")
        try await bench.add()
        let list = try await bench.lanyard("presence", "list")
        #expect(list.outputText.contains("Lanyard Test Key"), "\(list)")
    }

    /// Many builds at once.
    @Test func manyUsesAtOnceTakeOneTouch() async throws {
        try await bench.plugIn("one")
        try await bench.add()
        try await bench.store("token", "publish")
        #expect(try await bench.lanyard("lock").status == 0)
        let before = try bench.log("one").count { $0 == "get" }
        let outcome = try await bench.run(
            "sh",
            [
                "-c",
                "for i in 1 2 3 4 5 6 7 8 9 10; do lanyard get token 2>/dev/null & done; wait",
            ])
        #expect(
            outcome.outputText == String(repeating: "publish\n", count: 10), "\(outcome)")
        #expect(try bench.log("one").count { $0 == "get" } == before + 1)
    }

    /// Its programs end with Lanyard.
    @Test func aKilledUseLeavesNothingBehind() async throws {
        try await bench.plugIn("one")
        try await bench.add()
        try await bench.store("token", "publish")
        #expect(try await bench.lanyard("lock").status == 0)
        try bench.script("one", "silent")
        let outcome = try await bench.run(
            "sh",
            [
                "-c",
                """
                lanyard get token & lanyard=$!
                until pgrep -f "fido2-assert -G -h $1" >/dev/null; do sleep 0.02; done
                kill -9 "$lanyard"
                count=0
                while pgrep -f "fido2-assert -G -h $1" >/dev/null; do
                    count=$((count + 1))
                    [ "$count" -lt 250 ] || { echo left; exit 1; }
                    sleep 0.02
                done
                """, "sh", bench.device("one"),
            ])
        #expect(outcome.outputText == "", "\(outcome)")
        #expect(outcome.status == 0, "\(outcome)")
    }

    /// The items that ask no longer take a touch.
    @Test func doctorFindsThatTheToolsAreMissing() async throws {
        try await bench.plugIn("one")
        try await bench.add()
        let code = "security-key-program-missing"
        let complete = try await bench.lanyard("doctor", "--json")
        #expect(!complete.outputText.contains(code), "\(complete)")
        let outcome = try await bench.lanyard(
            "doctor", "--json", variables: ["PATH": "\(try Programs.folder())"])
        #expect(outcome.outputText.contains(code), "\(outcome)")
        #expect(outcome.outputText.contains("fido2-assert is not installed"), "\(outcome)")
    }

    /// Nothing is asked before that is known.
    @Test func withoutTheTools() async throws {
        #expect(try await home.lanyard("recovery-key", "create").status == 0)
        let outcome = try await home.command(
            "lanyard", ["presence", "add"],
            variables: ["PATH": "\(try Programs.folder())"]
        ).run()
        #expect(outcome.status == 53, "\(outcome)")
        #expect(
            outcome.errorText
                == "lanyard: error: fido2-cred is not installed\nlanyard: hint: install it: apt install fido2-tools\n"
        )
    }
}

#if SecretService
/// A desktop that locks its collections ends a touch, too.
@Suite(.needs(.securityKeys, .keyrings, .dbus), .timeLimit(.minutes(5)))
struct SecurityKeySecretServiceTests {
    @Test func lockingTheCollectionEndsATouch() async throws {
        let session = try DesktopSession(nil)
        let bench = try await SecurityKeyBench(session.home)
        try await bench.plugIn("one")
        try await bench.add()
        try await bench.store("token", "publish")
        let service = "org.freedesktop.secrets"
        let errors = try await session.withOwnService(during: { _ in
            #expect(try await bench.lanyard("get", "token").errorText.isEmpty)
            let outcome = try await session.run(
                "dbus-send", "--session", "--print-reply", "--dest=\(service)",
                "/org/freedesktop/secrets", "org.freedesktop.Secret.Service.Lock",
                "array:objpath:/org/freedesktop/secrets/collection/login")
            #expect(outcome.status == 0, "\(outcome)")
        })
        #expect(errors == "")
        let touched = try await bench.lanyard("get", "token")
        #expect(touched.outputText == "publish\n", "\(touched)")
        #expect(touched.errorText.contains("touch the security key"), "\(touched)")
    }
}
#endif

/// Scripted security keys, and tools that see them instead of the machine's.
final class SecurityKeyBench: @unchecked Sendable {
    let home: ScratchHome
    private var running: [String: Process] = [:]

    private static let files = "\(Repository.path)/Tests/EndToEnd/Authenticator"

    init(_ home: ScratchHome? = nil) async throws {
        self.home = try home ?? ScratchHome()
        try await self.home.shell(
            """
            mkdir -m 700 "$2" "$2/bin"
            gcc -shared -fPIC -o "$2/device.so" "$1/device.c" -ldl
            """, Self.files, folder)
        for tool in ["fido2-token", "fido2-cred", "fido2-assert"] {
            _ = try self.home.write(
                """
                #!/bin/sh
                FIDO2_TEST_SOCKETS=$(cat '\(folder)/plugged' 2>/dev/null)
                export FIDO2_TEST_SOCKETS
                if [ -e '\(folder)/product' ]; then
                    FIDO2_TEST_PRODUCT=$(cat '\(folder)/product')
                    export FIDO2_TEST_PRODUCT
                fi
                exec env LD_PRELOAD='\(folder)/device.so' /usr/bin/\(tool) "$@"

                """, to: "keys/bin/\(tool)", mode: 0o755)
        }
    }

    deinit {
        for process in running.values {
            kill(process.processIdentifier, SIGKILL)
        }
    }

    private var folder: String { "\(home.path)/keys" }

    func socket(_ name: String) -> String { "\(folder)/\(name)" }

    private var numbers: [String: Int] = [:]

    /// A key's path as the kernel would have it; no machine has as many.
    func device(_ name: String) -> String {
        let number = numbers[name] ?? Int.random(in: 1_000_000..<1_000_000_000)
        numbers[name] = number
        return "/dev/hidraw\(number)"
    }

    /// What the keys say of themselves.
    func setProduct(_ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/product"))
    }

    /// Only the tools' path differs from that of other tests.
    var variables: [String: String?] {
        let path = (try? home.environment()["PATH"]) ?? nil
        return ["PATH": "\(folder)/bin:\(path ?? "")"]
    }

    func run(
        _ program: String, _ arguments: [String], input: String = "",
        variables: [String: String?] = [:]
    ) async throws -> Outcome {
        try await home.command(
            program, arguments, input: Array(input.utf8),
            variables: self.variables.merging(variables) { $1 }
        ).run()
    }

    func lanyard(
        _ arguments: String..., variables: [String: String?] = [:]
    ) async throws -> Outcome {
        try await run("lanyard", arguments, variables: variables)
    }

    func plugIn(_ name: String) async throws {
        if running[name] == nil {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/python3")
            process.arguments = ["-B", "\(Self.files)/authenticator.py", folder, name]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            running[name] = process
            _ = output.fileHandleForReading.availableData
        }
        try setPlugged { $0.contains(name) ? $0 : $0 + [name] }
    }

    func unplug(_ name: String) async throws {
        try setPlugged { $0.filter { $0 != name } }
    }

    private var plugged: [String] = []

    private func setPlugged(_ change: ([String]) -> [String]) throws {
        plugged = change(plugged)
        let paths = plugged.map { "\(device($0))=\(socket($0))" }.joined(separator: ":")
        try Data(paths.utf8).write(to: URL(filePath: "\(folder)/plugged"))
    }

    func script(_ name: String, _ script: String) throws {
        try Data(script.utf8).write(to: URL(filePath: "\(socket(name)).script"))
    }

    /// What a key was asked: make, get or get-silently.
    func log(_ name: String) throws -> [String] {
        try String(contentsOfFile: "\(socket(name)).log", encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    /// Adds the key that is plugged in, and returns the recovery key.
    @discardableResult
    func add(sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        let outcome = try await lanyard("presence", "add")
        try #require(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
        #expect(
            outcome.outputText.wholeMatch(of: /([0-9A-Z]{4}-){8}[0-9A-Z]{4}\n/) != nil,
            "\(outcome)", sourceLocation: sourceLocation)
        return outcome.outputText
    }

    func store(
        _ name: String, _ secret: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await run("lanyard", ["set", "--stdin", "--ask", name], input: secret)
        try #require(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
    }

    func expectRefusal(
        _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await lanyard("get", "token")
        #expect(outcome.status == 36, "\(outcome)", sourceLocation: sourceLocation)
        let lines = outcome.errorText.split(separator: "\n")
        #expect(lines.count == 2, "\(outcome)", sourceLocation: sourceLocation)
        #expect(
            lines.first?.contains(reason) == true, "\(outcome)", sourceLocation: sourceLocation)
        #expect(
            lines.last?.hasPrefix("lanyard: hint: plug ") == true, "\(outcome)",
            sourceLocation: sourceLocation)
    }
}
