import Foundation
import Glibc
import Subprocess
import Testing
@testable import EndToEndRig

/// `lanyard setup` where something does not work.
@Suite(.needs(.git), .timeLimit(.minutes(20)))
struct SetupFailureTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
        try home.configureClients(.nothing)
        try FileManager.default.removeItem(
            atPath: "\(home.path)/home/.config/containers/registries.conf")
    }

    private func setup(_ variables: [String: String?] = [:]) async throws -> Outcome {
        let all = home.toolVariables.merging(variables) { _, own in own }
        return try await home.command("lanyard", ["setup", "--yes"], variables: all).run()
    }

    /// A folder that goes before all others on the PATH.
    private func folder(_ programs: [String: String]) async throws -> String {
        let folder = "\(home.path)/first"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        for (name, script) in programs {
            _ = try home.write("#!/bin/sh\n\(script)\n", to: "first/\(name)", mode: 0o755)
        }
        return folder
    }

    @Test func aHelperThatFailsIsToldOf() async throws {
        let first = try await folder([
            "git-credential-lanyard": "echo 'lanyard: error: out of order' >&2; exit 1"
        ])
        let path = try home.environment()["PATH"] ?? ""
        let outcome = try await setup(["PATH": "\(first):\(path)"])
        #expect(outcome.status == 53, "\(outcome)")
        #expect(
            outcome.outputText.contains("error     git fails with a trial login: out of order\n"),
            "\(outcome)")
        #expect(
            outcome.errorText.hasSuffix(
                """
                lanyard: error: git does not get its logins: out of order
                lanyard: hint: lanyard doctor

                """), "\(outcome)")
        #expect(!outcome.outputText.contains("\nnext "), "\(outcome)")
    }

    @Test func anotherHelpersAnswerIsToldOf() async throws {
        let first = try await folder([
            "git-credential-lanyard":
                "cat >/dev/null; [ \"$1\" != get ] || printf 'username=lanyard-test\\npassword=old\\n'"
        ])
        let path = try home.environment()["PATH"] ?? ""
        let outcome = try await setup(["PATH": "\(first):\(path)"])
        #expect(outcome.status == 53, "\(outcome)")
        #expect(
            outcome.errorText.contains(
                "\nlanyard: error: git does not get its logins: another helper than lanyard answers"
            ),
            "\(outcome)")
    }

    /// A tool that can't be set up does not keep the others from it.
    @Test func oneFailureLeavesTheOthers() async throws {
        _ = try home.write("{", to: "home/.docker/config.json")
        let outcome = try await setup()
        #expect(outcome.status == 93, "\(outcome)")
        #expect(outcome.outputText.contains("\nok        git works with"), "\(outcome)")
        #expect(outcome.errorText.contains("docker is not set up: "), "\(outcome)")
        // podman, skopeo and buildah share its setup, and not its file.
        if outcome.outputText.contains("podman (") {
            #expect(outcome.outputText.contains("\nok        podman works with"), "\(outcome)")
            let dropIn = home.textAtHome(".config/containers/registries.conf.d/zz-lanyard.conf")
            #expect(dropIn?.contains("lanyard") == true, "\(outcome)")
        }
        expectAnswer(try await home.lanyard("list"), "")
    }

    /// git is given the path of a helper that it would not find; docker can't be.
    @Test func helpersOffThePathAreReachedOrToldOf() async throws {
        let bin = try await folder([:])
        let lanyard = "\(try Programs.folder())/lanyard"
        try FileManager.default.createSymbolicLink(
            atPath: "\(bin)/lanyard", withDestinationPath: lanyard)
        let variables: [String: String?] = ["PATH": "\(bin):/usr/local/bin:/usr/bin:/bin"]
        let outcome = try await setup(variables)
        #expect(outcome.outputText.contains("\nok        git works with"), "\(outcome)")
        let configured = try home.text("gitconfig")
        #expect(configured.contains("\(try Programs.folder())/git-credential-lanyard"))
        if outcome.outputText.contains("docker") {
            #expect(outcome.status == 53, "\(outcome)")
            #expect(outcome.errorText.contains("docker-credential-lanyard is not on the PATH"))
        }
    }

    /// ^C in the middle ends it, and leaves no trial login behind.
    @Test func anInterruptionLeavesNothing() async throws {
        _ = try await setupEnded(by: SIGINT)
        expectAnswer(try await home.lanyard("list"), "")
    }

    /// A setup that gets a signal when its trial login is stored.
    ///
    /// - Returns: The folder of the helper that was first on its PATH.
    private func setupEnded(by signal: Int32) async throws -> String {
        let marker = "\(home.path)/stored"
        let helper = "\(try Programs.folder())/git-credential-lanyard"
        let first = try await folder([
            "git-credential-lanyard": """
            '\(helper)' "$@" || exit
            [ "$1" = store ] || exit 0
            : >'\(marker)'
            while [ -e '\(marker)' ]; do sleep 0.1; done
            """
        ])
        let path = try home.environment()["PATH"] ?? ""
        var variables = home.toolVariables
        variables["PATH"] = "\(first):\(path)"
        let command = try home.command("lanyard", ["setup", "--yes"], variables: variables)
        let (outcome, _) = try await command.run { process in
            for _ in 0..<2000 where access(marker, F_OK) != 0 {
                try await Task.sleep(for: .milliseconds(25))
            }
            try #require(access(marker, F_OK) == 0, "nothing was stored")
            kill(process, signal)
            unlink(marker)
        }
        #expect(outcome.termination == .signaled(signal), "\(outcome)")
        return first
    }

    /// `kill -9` leaves the trial login behind. The next setup might run beside another one, which is why only
    /// an old one is removed.
    @Test func whatAKilledSetupLeftIsRemovedLater() async throws {
        let first = try await setupEnded(by: SIGKILL)
        // git was given the path of what is no helper any more.
        try FileManager.default.removeItem(atPath: "\(first)/git-credential-lanyard")
        let young = try await setup()
        #expect(young.status == 0, "\(young)")
        #expect(!young.outputText.contains("left behind"), "\(young)")
        let list = try await home.lanyard("list")
        #expect(list.outputText.contains("https://lanyard-test-"), "\(list)")
        // As it is two hours later, beside what is none of them.
        let aged = try await home.shell(
            """
            set -eu
            lanyard remove --all --group git "$(lanyard list --group git | grep -o 'https://lanyard-test-[^ ]*')"
            old=$(($(date +%s) - 7200))
            item() {
                printf '{"class":"internet-password","secret":"pw","attributes":{"accessGroup":"%s",' "$1"
                printf '"account":"%s","server":"%s","protocol":"htps","creationDate":%s}},' "$2" "$3" $old
            }
            {
                printf '{"format":"lanyard-export","version":1,"items":['
                item git lanyard-test lanyard-test-0123456789abcdef.invalid
                item docker lanyard-test lanyard-test-0123456789abcdef.invalid
                item git ada lanyard-test-0123456789abcdef.invalid
                item login lanyard-test lanyard-test-0123456789abcdef.invalid
                item git lanyard-test git.example.com
            } | sed 's/,$/]}/' >"$1"
            lanyard import lanyard "$1"
            """, "\(home.path)/left")
        try #require(aged.status == 0, "\(aged)")
        let old = try await setup()
        #expect(old.status == 0, "\(old)")
        #expect(
            old.outputText.contains(
                "\nnote      removed 2 trial logins that earlier setups left behind\n"), "\(old)")
        let left = try await home.json("list", "--json")
        #expect(left.elements.count == 3, "\(left)")
    }

    @Test(.needs(.keyrings)) func aLockedKeychainIsToldOf() async throws {
        try await home.set("x", secret: "s")
        try await home.setPassphrase()
        let outcome = try await setup()
        #expect(outcome.status == 36, "\(outcome)")
        #expect(outcome.errorText.contains("the keychain 'login' is locked"), "\(outcome)")
        #expect(outcome.errorText.hasSuffix("lanyard: hint: lanyard unlock\n"), "\(outcome)")
    }
}
