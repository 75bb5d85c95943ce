import Foundation
import Glibc
import TestSupport
import Testing
@testable import EndToEndRig

/// The machine key, sealed by a scripted service.
@Suite(.needs(.root, .mounts, .keyrings), .timeLimit(.minutes(10)))
struct SealedMachineKeyTests {
    let machine: SealingHome
    var home: ScratchHome { machine.home }

    init() throws {
        machine = try SealingHome()
    }

    @Test func isSealedUnsealedAndSealedAgain() async throws {
        try await machine.prepare()
        let plain = try home.read(home.machineKey)
        #expect(try await machine.status()["kind"] == "plain")
        for _ in 0..<2 {
            #expect(try await machine.lanyard("machine-key", "seal").status == 0)
            let sealed = try home.read(home.machineKey)
            #expect(Data(sealed).range(of: Data(plain)) == nil)
            #expect(try mode(of: home.machineKey) == 0o600)
            let status = try await machine.status()
            #expect(status["kind"] == "sealed")
            #expect(status["sealed_to"] == "host-key")
            #expect(status["readable"] == true)
            #expect(status["without_recovery_key"] == [])
            try await machine.expectSecret()
            #expect(try await machine.lanyard("machine-key", "renew").status == 0)
            #expect(try home.read(home.machineKey) != sealed)
            try await machine.expectSecret()
            #expect(try await machine.lanyard("machine-key", "unseal").status == 0)
            #expect(try home.read(home.machineKey) == plain)
            try await machine.expectSecret()
        }
        #expect(try await machine.lanyard("machine-key", "renew").status != 0)
    }

    /// Without a recovery key, and without a terminal to show one.
    @Test func isNeverTheOnlyWay() async throws {
        try await home.set("x", secret: "the secret")
        let before = try home.read(home.machineKey)
        let outcome = try await machine.lanyard("machine-key", "seal")
        #expect(outcome.status == 36, "\(outcome)")
        #expect(outcome.errorText.contains("hint: lanyard recovery-key create --keychain login"))
        #expect(try home.read(home.machineKey) == before)
    }

    @Test func takesARecoveryKeyAtATerminal() async throws {
        try await home.set("x", secret: "the secret")
        let session = try await machine.atTerminal("machine-key", "seal")
        #expect(session.status == 0, "\(session)")
        #expect(session.shown.contains("the recovery key of the keychain 'login'"), "\(session)")
        #expect(session.shown.contains("the machine key is sealed by systemd"), "\(session)")
        #expect(try await machine.status()["without_recovery_key"] == [])
        try await machine.expectSecret()
        let removed = try await machine.lanyard("recovery-key", "remove")
        #expect(
            removed.errorText.contains(
                "only the sealed machine key opens the keychain 'login' now"), "\(removed)")
        try await machine.restart()
    }

    /// The plain key is never written.
    @Test func aNewKeychainIsSealedAtOnce() async throws {
        let session = try await machine.atTerminal("keychain", "create", "work")
        #expect(session.status == 0, "\(session)")
        #expect(session.shown.contains("the recovery key of the keychain 'work'"), "\(session)")
        let status = try await machine.status()
        #expect(status["kind"] == "sealed")
        #expect(status["without_recovery_key"] == [])
        // Without a terminal there is no one to show a recovery key to.
        let other = try await machine.lanyard("keychain", "create", "other")
        #expect(other.status == 0, "\(other)")
        #expect(
            other.errorText.contains("hint: lanyard recovery-key create --keychain other"),
            "\(other)")
        #expect(try await machine.status()["without_recovery_key"] == ["other"])
        try await machine.restart()
    }

    @Test(.needs(.git), arguments: [false, true])
    func setupSealsANewOrAnExistingKey(_ exists: Bool) async throws {
        if exists {
            try await home.set("x", secret: "the secret")
        }
        let question: [Dialogue.Step] = [
            .sees("opens everything; seal the"), .types("y\n"),
        ]
        let session = try await machine.atTerminal(
            "setup",
            steps: [.sees("make these changes? [Y/n]"), .types("y\n")] + (exists ? question : []))
        #expect(session.shown.contains("the recovery key of the keychain 'login'"), "\(session)")
        #expect(session.shown.contains("the machine key is sealed by systemd"), "\(session)")
        #expect(session.shown.contains("lets you lock the keychain"), "\(session)")
        let status = try await machine.status()
        #expect(status["kind"] == "sealed")
        #expect(status["without_recovery_key"] == [])
        try await machine.restart()
    }

    @Test func withoutTheServiceNothingIsSealed() async throws {
        try await machine.prepare()
        let before = try home.read(home.machineKey)
        machine.service.end()
        for outcome in [
            try await machine.lanyard("machine-key", "seal"),
            try await home.lanyard("machine-key", "seal"),
        ] {
            #expect(outcome.status != 0, "\(outcome)")
            #expect(outcome.errorText.contains("hint: "), "\(outcome)")
            #expect(try home.read(home.machineKey) == before)
        }
        try await machine.expectSecret()
    }

    @Test(
        arguments: [
            ("io.systemd.Credentials.BadFormat", nil), ("io.systemd.System", 37),
            ("io.systemd.System", 1),
            ("io.systemd.Credentials.NoSuchUser", nil),
        ] as [(String, Int?)])
    func aRefusalLeavesThePlainKey(_ name: String, _ number: Int?) async throws {
        try await machine.prepare()
        let before = try home.read(home.machineKey)
        machine.service.behaviour = .error(name, number)
        let outcome = try await machine.lanyard("machine-key", "seal")
        #expect(outcome.status != 0, "\(outcome)")
        #expect(outcome.errorText.contains("the machine key can't be sealed: "), "\(outcome)")
        #expect(try home.read(home.machineKey) == before)
        #expect(try await home.lanyard("get", "x").outputText == "the secret\n")
    }

    /// The key stays in the kernel until the machine restarts: nothing asks the service.
    @Test func isUnsealedOncePerBoot() async throws {
        try await machine.seal()
        try await machine.restart()
        let before = machine.service.count("Decrypt")
        for _ in 0..<3 {
            try await machine.expectSecret()
        }
        #expect(machine.service.count("Decrypt") == before + 1)
        // Without the service, too.
        #expect(try await home.lanyard("get", "x").outputText == "the secret\n")
        try await machine.restart()
        machine.service.end()
        try await machine.expectUnreadable("is not running here")
    }

    /// systemd's socket takes 16 connections of a user and resets the rest.
    @Test func manyGetsAtOnceAskOnce() async throws {
        try await machine.seal()
        try await machine.restart()
        machine.service.connectionLimit = 16
        machine.service.delay = 300
        let before = machine.service.count("Decrypt")
        let script = """
            i=0
            while [ $i -lt 1000 ]; do
                { lanyard get x >/dev/null 2>>"$HOME/errors" || echo failed >>"$HOME/errors"; } &
                i=$((i + 1))
                [ $((i % 100)) -ne 0 ] || wait
            done
            wait
            [ ! -s "$HOME/errors" ] || cat "$HOME/errors"
            """
        let outcome = try await machine.command("sh", ["-c", script]).run()
        #expect(outcome.outputText == "", "\(outcome)")
        #expect(machine.service.count("Decrypt") == before + 1)
        try await machine.restart()
    }

    /// A TPM that is locked is not asked by each of them.
    @Test func manyGetsAtOnceAreRefusedTogether() async throws {
        try await machine.seal()
        try await machine.restart()
        machine.service.behaviour = .error("io.systemd.Credentials.TPMInDictionaryLockout", nil)
        machine.service.delay = 300
        let before = machine.service.count("Decrypt")
        let script = """
            i=0
            while [ $i -lt 100 ]; do
                lanyard get x >/dev/null 2>>"$HOME/errors" &
                i=$((i + 1))
            done
            wait
            grep -c "failed attempts" "$HOME/errors"
            """
        let outcome = try await machine.command("sh", ["-c", script]).run()
        #expect(outcome.outputText == "100\n", "\(outcome)")
        // They may take longer than the seconds for which a refusal counts.
        #expect(machine.service.count("Decrypt") < before + 20)
        machine.service.behaviour = .machine("ours")
        try await machine.restart()
        try await machine.expectSecret()
        try await machine.restart()
    }

    /// A container of the user, without the state folder, can write the entry and leave it there.
    @Test func aForgedRefusalCountsForNothing() async throws {
        try await machine.seal()
        try await machine.forgeRefusal()
        try await machine.expectSecret()
        try await machine.restart()
    }

    /// Another machine's copy of the home, its service having another key.
    @Test func aCopyOpensNothingUntilTheRecoveryKeyHealsIt() async throws {
        try await machine.seal()
        let there = try home.read(home.machineKey)
        try await machine.restart()
        machine.service.behaviour = .machine("theirs")
        try await machine.expectUnreadable("another machine")
        #expect(try await machine.status()["readable"] == false)
        let shown = try await machine.lanyard("status")
        #expect(
            shown.outputText.contains("locked: the machine key can't be read\n"), "\(shown)")
        let helper = try await machine.command(
            "git-credential-lanyard", ["get"], input: "protocol=https\nhost=a\n"
        ).run()
        #expect(
            helper.errorText.contains("hint: use the recovery key: lanyard machine-key renew"),
            "\(helper)")
        let doctor = try await machine.lanyard("doctor")
        #expect(doctor.outputText.contains("[machine-key-unreadable]"), "\(doctor)")
        let unlocking = try await machine.lanyard("unlock")
        #expect(unlocking.errorText.contains("lanyard machine-key renew"), "\(unlocking)")
        // The recovery key opens it for one program.
        #expect(try await machine.recovering("get", "x").outputText == "the secret\n")
        // Without it nothing is renewed.
        #expect(try await machine.lanyard("machine-key", "renew").status != 0)
        #expect(try home.read(home.machineKey) == there)
        let renewal = try await machine.recovering("machine-key", "renew")
        #expect(renewal.status == 0, "\(renewal)")
        try await machine.expectSecret()
        let status = try await machine.status()
        #expect(status["readable"] == true)
        #expect(status["kind"] == "sealed")
        try await machine.restart()
        try await machine.expectSecret()
        let kept = try FileManager.default.contentsOfDirectory(atPath: home.state)
            .filter { $0.hasPrefix("machine-key.unreadable-") }
        #expect(try kept.map { try home.read("\(home.state)/\($0)") } == [there])
        try await machine.restart()
    }

    @Test(
        arguments: [
            ("io.systemd.Credentials.KeyBelongsToOtherTPM", nil, "this is another TPM"),
            ("io.systemd.Credentials.UnexpectedPCRState", nil, "PCR 7"),
            ("io.systemd.Credentials.TPMInDictionaryLockout", nil, "failed attempts"),
            ("io.systemd.System", 131, "this is another TPM"),
            ("io.systemd.System", 2, "host key"),
            ("io.systemd.Credentials.NoSuchUser", nil, "no name"),
        ] as [(String, Int?, String)])
    func aRefusalIsNamed(_ name: String, _ number: Int?, _ words: String) async throws {
        try await machine.seal()
        try await machine.restart()
        machine.service.behaviour = .error(name, number)
        try await machine.expectUnreadable(words)
        // What seals nothing is no dead end.
        let renewal = try await machine.recovering("machine-key", "renew")
        #expect(renewal.status != 0, "\(renewal)")
        #expect(
            renewal.errorText.contains("until then set LANYARD_PASSPHRASE_FILE"), "\(renewal)")
        #expect(try await machine.recovering("get", "x").outputText == "the secret\n")
        machine.service.behaviour = .machine("ours")
        try await machine.forgetRefusal()
        try await machine.expectSecret()
        try await machine.restart()
    }

    @Test func aPassphraseWorksWithIt() async throws {
        try await machine.prepare()
        let passphrase = try home.write("pass phrase\n", to: "passphrase")
        #expect(
            try await machine.lanyard(
                "passphrase", "set", "--yes", "--portable", "--new-passphrase-file", passphrase
            )
            .status == 0)
        #expect(try await machine.lanyard("machine-key", "seal").status == 0)
        let given = ["LANYARD_PASSPHRASE_FILE": passphrase]
        #expect(try await machine.lanyard("unlock", variables: given).status == 0)
        try await machine.expectSecret()
        try await machine.restart()
        try await machine.expectSecret()
        #expect(try await machine.lanyard("lock", "--all").status == 0)
        #expect(try await machine.lanyard("get", "x").status == 36)
        try await machine.restart()
        machine.service.behaviour = .machine("theirs")
        try await machine.expectUnreadable("another machine")
        #expect(
            try await machine.lanyard("get", "x", variables: given).outputText == "the secret\n")
        #expect(try await machine.lanyard("machine-key", "renew", variables: given).status == 0)
        #expect(try await machine.lanyard("unlock", variables: given).status == 0)
        try await machine.expectSecret()
        #expect(try await machine.lanyard("lock", "--all").status == 0)
        try await machine.restart()
    }

    private func mode(of path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }
}
