#if SecretService
import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard exec --secret-service`: a message bus with a Secret Service for one program.
@Suite(.timeLimit(.minutes(5)), .needs(.privateBus))
struct PrivateSecretServiceTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private func exec(_ script: String) async throws -> Outcome {
        try await home.lanyard("exec", "--secret-service", "--", "sh", "-c", script)
    }

    /// Calls a method of properties of an object of the service.
    private func properties(_ path: String, _ method: String) -> String {
        "gdbus call --session -d org.freedesktop.secrets -o /org/freedesktop/secrets/\(path) "
            + "-m org.freedesktop.DBus.Properties.\(method)"
    }

    @Test func aCollectionCanHaveAnotherLabel() async throws {
        let set = properties(
            "collection/login", "Set org.freedesktop.Secret.Collection Label \"<'My logins'>\"")
        let get = properties("aliases/default", "Get org.freedesktop.Secret.Collection Label")
        let outcome = try await exec("\(get); \(set); \(get)")
        #expect(outcome.outputText == "(<'Login'>,)\n()\n(<'My logins'>,)\n", "\(outcome)")
        expectAnswer(
            try await home.lanyard("config", "get", "keychain.login.label"), "My logins\n")
    }

    /// Clients tell by the error's name that an item is gone.
    @Test func whatIsNotThereHasTheErrorOfTheSpecification() async throws {
        for path in ["collection/login/\(String(repeating: "0", count: 32))", "collection/none"] {
            let outcome = try await exec(
                properties(path, "Get org.freedesktop.Secret.Item Label") + "; "
                    + properties(path, "Get org.freedesktop.Secret.Collection Label"))
            #expect(
                outcome.errorText.contains("org.freedesktop.Secret.Error.NoSuchObject"),
                "\(outcome)")
        }
    }

    /// Whether a path is gone, or goes within five seconds.
    private func isGone(_ path: String) async throws -> Bool {
        for _ in 0..<250 where FileManager.default.fileExists(atPath: path) {
            try await Task.sleep(for: .milliseconds(20))
        }
        return !FileManager.default.fileExists(atPath: path)
    }

    @Test func programsFindIt() async throws {
        let outcome = try await exec(
            """
            printf 'a token' | secret-tool store --label=Token service example account ada
            secret-tool lookup service example account ada
            """)
        expectAnswer(outcome, "a token")
        expectAnswer(try await home.lanyard("get", "example", "ada"), "a token\n")
    }

    private static let collections =
        "gdbus call --session -d org.freedesktop.secrets -o /org/freedesktop/secrets "
        + "-m org.freedesktop.DBus.Properties.Get org.freedesktop.Secret.Service Collections"

    private func exec(_ option: String, _ value: String, _ script: String) async throws -> Outcome {
        try await home.lanyard(
            "exec", "--secret-service", option, value, "--", "sh", "-c", script)
    }

    /// Everything that the bus tells, and every way to a secret or into another keychain.
    @Test func aKeychainNarrowsIt() async throws {
        try await home.set("service", "me", secret: "of login")
        #expect(try await home.lanyard("keychain", "create", "agent").status == 0)
        expectAnswer(
            try await home.lanyard(
                "set", "--stdin", "--keychain", "agent", "other", "me", input: "of agent"), "")
        let outcome = try await exec(
            "--keychain", "agent",
            """
            secret-tool lookup service service account me && exit 9
            secret-tool lookup service other; echo
            printf new | secret-tool store --label=New added one
            \(Self.collections)
            gdbus call --session -d org.freedesktop.secrets -o /org/freedesktop/secrets \\
                -m org.freedesktop.Secret.Service.ReadAlias login
            """)
        expectAnswer(
            outcome,
            """
            of agent
            (<[objectpath '/org/freedesktop/secrets/collection/agent', \
            '/org/freedesktop/secrets/collection/session']>,)
            (objectpath '/',)

            """)
        expectAnswer(try await home.lanyard("get", "--keychain", "agent", "New"), "new\n")
        let refused = try await exec(
            "--keychain", "agent",
            """
            call() { gdbus call --session -d org.freedesktop.secrets "$@"; }
            call -o /org/freedesktop/secrets/collection/login \\
                -m org.freedesktop.Secret.Collection.SearchItems '@a{ss} {}'
            call -o /org/freedesktop/secrets -m org.freedesktop.Secret.Service.CreateCollection \\
                '{}' ''
            """)
        #expect(
            refused.outputText == "" && refused.errorText.contains("NoSuchObject"), "\(refused)")
        #expect(refused.errorText.contains("NotSupported"), "\(refused)")
    }

    @Test func aGroupNarrowsIt() async throws {
        try await home.set("service", "me", secret: "of login")
        let set = try await home.lanyard(
            "set", "--for", "git", "--stdin", "https://example.com", "ada", input: "git's")
        #expect(set.status == 0, "\(set)")
        let outcome = try await exec(
            "--group", "secret-service",
            """
            secret-tool lookup service service && exit 9
            secret-tool lookup server example.com && exit 8
            printf own | secret-tool store --label=Own a b && secret-tool lookup a b
            """)
        expectAnswer(outcome, "own")
        let git = try await exec(
            "--group", "git",
            """
            secret-tool lookup a b && exit 9
            printf x | secret-tool store --label=Own c d && exit 8
            secret-tool lookup server example.com
            """)
        #expect(git.status == 0 && git.outputText == "git's", "\(git)")
        #expect(git.errorText.contains("this bus shows 'git' alone"), "\(git)")
        expectAnswer(
            try await home.lanyard(
                "exec", "--secret-service", "--", "secret-tool", "lookup", "a", "b"),
            "own")
    }

    /// Before anything runs.
    @Test func aKeychainThatCantBeShown() async throws {
        let missing = try await exec("--keychain", "nope", "echo ran")
        #expect(missing.status == 50 && missing.output.isEmpty, "\(missing)")
        let other = try await exec("--keychain", "secret-service", "echo ran")
        #expect(other.status == 64 && other.output.isEmpty, "\(other)")
        #expect(other.errorText.contains("can't show the keychain 'secret-service'"), "\(other)")
    }

    /// Nothing else would say why the program finds nothing.
    @Test func aLockedKeychain() async throws {
        try await home.set("example", secret: "s")
        try await home.setPassphrase()
        let hint = "lanyard: hint: the program finds the keychain 'login' locked: "
        let locked = try await exec("echo ran")
        #expect(locked.outputText == "ran\n", "\(locked)")
        #expect(locked.errorText.hasPrefix(hint), "\(locked)")
        let given = try await home.lanyardUnlocked("exec", "--secret-service", "--", "echo", "ran")
        expectAnswer(given, "ran\n")
    }

    /// libsecret looks for the service under this name; on the private bus there is none but the usual one.
    @Test func anotherNameOfTheSessionsBusDoesNotMatter() async throws {
        let outcome = try await home.command(
            "lanyard",
            [
                "exec", "--secret-service", "--", "sh", "-c",
                "printf 'a token' | secret-tool store --label=Token service example",
            ], variables: ["SECRET_SERVICE_BUS_NAME": "org.example.Other"]
        ).run()
        expectAnswer(outcome, "")
        expectAnswer(try await home.lanyard("get", "example"), "a token\n")
    }

    /// A socket's path has 107 bytes at most, and a bus' address no such characters.
    @Test(arguments: [String(repeating: "x", count: 90), "a b&<'\"%,;=ä"])
    func theRuntimeFolderCantBeInAnAddress(name: String) async throws {
        let folder = "\(home.path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        try await home.set("example", secret: "a token")
        let outcome = try await home.command(
            "lanyard",
            ["exec", "--secret-service", "--", "secret-tool", "lookup", "service", "example"],
            variables: ["XDG_RUNTIME_DIR": folder]
        ).run()
        expectAnswer(outcome, "a token")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test(arguments: ["exit 3", "kill -9 $$"]) func itEndsWithTheProgram(_ end: String) async throws
    {
        let file = "\(home.path)/address"
        let outcome = try await exec("printf %s \"$DBUS_SESSION_BUS_ADDRESS\" >'\(file)'; \(end)")
        #expect(outcome.status == (end == "exit 3" ? 3 : nil), "\(outcome)")
        let address = try String(contentsOfFile: file, encoding: .utf8)
        let socket = try #require(address.split(separator: "=").last.map(String.init))
        #expect(try await isGone(socket))
        #expect(try await isGone(URL(fileURLWithPath: socket).deletingLastPathComponent().path))
    }

    @Test(.needs(.python)) func theProgramHasNoChildOfOurs() async throws {
        let outcome = try await home.lanyard(
            "exec", "--secret-service", "--", "python3", "-c",
            """
            import os
            try:
                print(os.wait())
            except ChildProcessError:
                print("none")
            """)
        expectAnswer(outcome, "none\n")
    }

    /// As in containers that run with any number as their user's.
    @Test(.needs(.root)) func aUserWithoutAnAccount() async throws {
        let folder = try home.folder("user", of: AnotherUser.victim)
        let programs = try home.copiesOfPrograms(["lanyard", "lanyard-secret-service"])
        let outcome = try await home.command(
            "setpriv",
            AnotherUser.arguments(AnotherUser.victim)
                + ["\(programs)/lanyard", "exec", "--secret-service", "--", "echo", "ran"],
            variables: ["HOME": folder, "LANYARD_HOME": folder, "XDG_RUNTIME_DIR": folder]
        ).run()
        #expect(outcome.status == 53 && outcome.output.isEmpty, "\(outcome)")
        #expect(
            outcome.errorText.hasPrefix(
                """
                lanyard: error: dbus-daemon does not start
                lanyard: hint: your user needs an account on this system

                """), "\(outcome)")
    }

    @Test func aBusDaemonThatEnds() async throws {
        let daemon = try home.writeAtHome("#!/bin/sh\n", to: "bin/dbus-daemon", mode: 0o755)
        let outcome = try await home.lanyard(
            "exec", "--", "sh", "-c",
            """
            lanyard=$(command -v lanyard)
            PATH="${0%/*}" exec "$lanyard" exec --secret-service -- /bin/echo ran
            """, daemon)
        #expect(outcome.status == 53 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText.hasPrefix("lanyard: error: dbus-daemon does not start\n"))
        #expect(!outcome.errorText.contains("account"))
    }

    @Test func withoutABusDaemonNothingRuns() async throws {
        let outcome = try await home.lanyard(
            "exec", "--", "sh", "-c",
            """
            lanyard=$(command -v lanyard)
            PATH=/nonexistent exec "$lanyard" exec --secret-service -- /bin/echo ran
            """)
        #expect(outcome.status == 53 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText.contains("lanyard: error: dbus-daemon is missing\n"))
    }
}
#endif
