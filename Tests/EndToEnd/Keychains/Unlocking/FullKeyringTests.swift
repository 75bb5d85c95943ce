import Foundation
import Subprocess
import Testing
@testable import EndToEndRig

/// A user whose share of the kernel's memory for keys is used up, by keys of other programs.
@Suite(
    .needs(.root, .anotherUser, .keyrings, .smallKeyringShare), .timeLimit(.minutes(10)))
struct FullKeyringTests {
    let home: ScratchHome
    /// Its own, which leaves other users' shares alone.
    private let user = uid_t.random(in: 200_000..<300_000)

    init() throws {
        home = try ScratchHome()
    }

    /// Keys are counted, and so are their bytes: either may be what runs out.
    @Test(arguments: [1, 300]) func doctorNamesTheCauseAndWhatHelps(bytes: Int) async throws {
        let own = try home.folder("own", of: user)
        let programs = try home.copiesOfPrograms(["lanyard"])
        let script = """
            export HOME="$1" LANYARD_HOME="$1/lanyard" PATH="$2:$PATH"
            cd
            # Whatever happens, the kernel keeps nothing of it.
            trap 'keyctl clear @u' EXIT
            step() {
                name=$1 status=0
                shift
                "$@" >"$name.out" 2>"$name.err" || status=$?
                echo "$status" >"$name.status"
            }
            unlock() { LANYARD_PASSPHRASE_FILE="$HOME/passphrase" lanyard unlock --timeout 10m; }
            echo 'the passphrase' >passphrase
            echo secret | lanyard set x --stdin
            lanyard passphrase set --new-passphrase-file passphrase
            step before lanyard doctor --json
            for size in "$3" 1; do
                payload=$(printf "%0${size}d" 0)
                while keyctl add user "other-$((count += 1))" "$payload" @u; do :; done
            done >/dev/null 2>&1
            step full lanyard doctor --json
            step refused unlock
            # What doctor says.
            for number in 1 2 3 4 5; do
                keyctl show @u | sed -n "s/^ *\\([0-9]*\\) .* user: other-$number\\$/\\1/p"
            done | while read -r key; do
                keyctl unlink "$key" @u
            done
            # The kernel takes a moment.
            tries=100
            until step after lanyard doctor --json && ! grep -q keyring-full after.out; do
                [ $((tries -= 1)) -gt 0 ]
                sleep 0.2
            done
            step unlocked unlock
            step get lanyard get x
            step other keyctl search @u user other-6
            """
        let outcome = try await home.command(
            "setpriv",
            AnotherUser.arguments(user) + [
                "keyctl", "session", "-", "sh", "-euc", "count=0\n\(script)", "sh", own, programs,
                "\(bytes)",
            ]
        ).run()
        try #require(outcome.status == 0, "\(outcome)")
        #expect(try !step("before").outputText.contains("keyring-full"))

        let full = try Doctor(try step("full"))
        let finding = try #require(full.findings.first { $0.code == "keyring-full" }, "\(full)")
        #expect(finding.severity == "warning" && finding.command == nil, "\(full)")
        #expect(finding.advice?.contains("keyctl unlink KEY @u") == true, "\(full)")
        // Whoever was not told would find out here.
        let refused = try step("refused")
        #expect(refused.status == 53, "\(refused)")
        #expect(refused.errorText.contains("quota used up"), "\(refused)")

        #expect(try !step("after").outputText.contains("keyring-full"))
        expectAnswer(try step("unlocked"), "")
        expectAnswer(try step("get"), "secret\n")
        // Another program's key is there as before.
        #expect(try step("other").status == 0)
    }

    /// How a step of the script ended.
    private func step(_ name: String) throws -> Outcome {
        func text(_ kind: String) throws -> [UInt8] {
            try home.read("\(home.path)/own/\(name).\(kind)")
        }
        let status = Int32(String(decoding: try text("status").dropLast(), as: UTF8.self))
        return Outcome(
            command: try home.command("sh", ["(\(name))"]),
            termination: .exited(try #require(status)), output: try text("out"),
            error: try text("err"))
    }
}

extension Need {
    /// The kernel's own value, unless it was changed.
    static let smallKeyringShare = Need(missing: "users may keep many keys in this kernel") {
        try ["maxkeys", "maxbytes"].allSatisfy { name in
            let text = try String(contentsOfFile: "/proc/sys/kernel/keys/\(name)", encoding: .utf8)
            return Int(text.dropLast()).map { $0 <= 20_000 } ?? false
        }
    }
}
