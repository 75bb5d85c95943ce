#if SecretService
import Foundation
import TestSupport
import Testing
@testable import EndToEndRig

/// `lanyard setup secret-service` on a real bus, beside a real gnome-keyring.
@Suite(.needs(.plugin, .privateBus, .gnomeKeyring), .timeLimit(.minutes(5)))
struct SetupSecretServiceTests {
    private let unit = "lanyard-secret-service.service"

    @Test func theBusStartsItWhenAProgramNeedsIt() async throws {
        let session = try DesktopSession(nil)
        let before = try Snapshot(session.service.folder)
        let plan = try await session.setup("--dry-run")
        #expect(plan.status == 0 && plan.outputText.contains(session.activationFile), "\(plan)")
        #expect(try Snapshot(session.service.folder).differences(from: before) == [])

        let done = try await session.setup()
        #expect(done.status == 0 && done.error.isEmpty, "\(done)")
        #expect(done.outputText.contains("systemd does not manage this session"), "\(done)")
        let program = "\(try Programs.folder())/lanyard-secret-service"
        let text = String(decoding: try session.home.read(session.activationFile), as: UTF8.self)
        #expect(text.contains("\nExec=\(program) --exit-when-idle\n"), "\(text)")
        #expect(!text.contains("SystemdService"), "\(text)")
        #expect(try await !session.owns("org.freedesktop.secrets"))
        // Lanyard's own helpers don't start it to find their own keychains there.
        let request = "protocol=https\nhost=example.com\n"
        let login = "\(request)username=ada\npassword=pw\n"
        try await session.expect("git-credential-lanyard", "store", input: login)
        try await session.expect(
            "git-credential-lanyard", "get", input: request, answer: "username=ada\npassword=pw\n")
        let status = try await session.status()
        #expect(status["reason"] == .string("Lanyard itself is the Secret Service here"))
        #expect(try await !session.owns("org.freedesktop.secrets"))
        try await session.storesAndFinds("s3cret")
        #expect(try await session.owns("org.freedesktop.secrets"))
        #expect(try await session.accounts() == ["ada"])
        #expect(try await session.findings().map(\.code) == [])

        let again = try await session.setup()
        #expect(
            again.outputText.contains("secret-service is set up: nothing to change"), "\(again)")
        let undone = try await session.setup("--undo")
        #expect(undone.status == 0 && undone.error.isEmpty, "\(undone)")
        #expect(!FileManager.default.fileExists(atPath: "\(session.data)/dbus-1"))
        #expect(try await session.setup("--undo").status == 44)
    }

    /// The bus has another home folder than the command.
    @Test func filesThatTheBusDoesNotReadAreNamed() async throws {
        let session = try DesktopSession(nil)
        let other = "\(session.home.path)/other"
        func setup(_ arguments: String...) async throws -> Outcome {
            try await session.home.command(
                "lanyard", ["setup", "secret-service"] + arguments,
                variables: session.setupVariables.merging(["XDG_DATA_HOME": other]) { $1 }
            ).run()
        }
        let done = try await setup()
        #expect(done.status == 53, "\(done)")
        #expect(
            done.errorText == """
                lanyard: error: the files are done, but the session bus does not read those in \
                '\(other)/dbus-1/services'
                lanyard: hint: add --undo, then use your account's HOME, and XDG_DATA_HOME as in your \
                session

                """, "\(done)")
        let undone = try await setup("--undo")
        #expect(undone.status == 0 && undone.errorText.isEmpty, "\(undone)")
    }

    /// The bus may be too busy for an answer, or not give one.
    @Test func aBusThatDoesNotSayWhatItReadsIsNoFailure() async throws {
        let session = try DesktopSession(nil)
        let configuration = "\(session.service.folder)/bus.conf"
        let text = try String(contentsOfFile: configuration, encoding: .utf8)
        try text.replacing(
            "</busconfig>",
            with: """
                <policy context="mandatory"><deny send_interface="org.freedesktop.DBus"
                send_member="ListActivatableNames"/></policy></busconfig>
                """
        ).write(toFile: configuration, atomically: true, encoding: .utf8)
        let done = try await session.setup()
        #expect(done.status == 0 && done.error.isEmpty, "\(done)")
    }

    @Test func systemdRunsItFromLoginOn() async throws {
        let session = try DesktopSession(nil)
        try session.addScriptedSystemd()
        let done = try await session.setup()
        #expect(done.status == 0 && done.error.isEmpty, "\(done)")
        #expect(
            try session.systemctlCalls() == ["--user daemon-reload", "--user restart \(unit)"])
        // docker's client starts nothing, and finds it.
        #expect(try await session.owns("org.freedesktop.secrets"))
        try await session.storesAndFinds("s3cret")
        let link = "\(session.units)/default.target.wants/\(unit)"
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../\(unit)")
        let file = String(decoding: try session.home.read(session.activationFile), as: UTF8.self)
        #expect(file.contains("\nSystemdService=\(unit)\n"), "\(file)")
        #expect(try await session.findings().map(\.code) == [])

        let again = try await session.setup("--json")
        let plan = try JSONText(again.output).elements.first?.members ?? [:]
        #expect(plan["tool"] == "secret-service" && plan["changes"]?.elements.isEmpty == true)
        // The whole setup is undone with it, too.
        let undone = try await session.home.command(
            "lanyard", ["setup", "--undo"], variables: session.setupVariables
        ).run()
        #expect(undone.status == 0, "\(undone)")
        #expect(
            try session.systemctlCalls().suffix(2) == [
                "--user stop \(unit)", "--user daemon-reload",
            ])
        #expect(try await !session.owns("org.freedesktop.secrets"))
        #expect(!FileManager.default.fileExists(atPath: "\(session.data)/dbus-1"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(session.service.folder)/config")
                == [])
    }

    /// The files are undone, and the error says so.
    @Test func systemdThatDoesNotStopIt() async throws {
        let session = try DesktopSession(nil)
        try session.addScriptedSystemd()
        try #require(try await session.setup().status == 0)
        let systemctl = try session.home.text("bin/systemctl")
        _ = try session.home.write("#!/bin/sh\nexit 1\n", to: "bin/systemctl", mode: 0o700)
        let undone = try await session.setup("--undo")
        #expect(undone.status == 53, "\(undone)")
        let reason =
            "the setup of secret-service is undone in its files, but not in running programs: "
        #expect(undone.errorText.hasPrefix("lanyard: error: \(reason)"), "\(undone)")
        #expect(!FileManager.default.fileExists(atPath: "\(session.data)/dbus-1"))
        _ = try session.home.write(systemctl, to: "bin/systemctl", mode: 0o700)
        _ = try await session.home.command(
            "systemctl", ["--user", "stop", unit], variables: session.setupVariables
        ).run()
    }

    @Test func itemsOfAnotherServiceAreCopiedFirst() async throws {
        let session = try DesktopSession()
        try await session.storesAndFinds("s3cret")
        try await session.expect(
            "secret-tool", "store", "--label=y", "service", "other", "account", "bob", input: "pw")
        let before = try Snapshot(session.service.folder)
        let refused = try await session.setup()
        #expect(refused.status == 48, "\(refused)")
        #expect(
            refused.errorText == """
                lanyard: error: gnome-keyring-daemon is the Secret Service here and has 2 items
                lanyard: hint: lanyard setup secret-service --copy-items copies them first; \
                --leave-items leaves them there

                """, "\(refused)")
        #expect(try Snapshot(session.service.folder).contentDifferences(from: before) == [])

        let done = try await session.setup("--copy-items")
        #expect(done.status == 0, "\(done)")
        #expect(
            done.outputText.contains("gnome-keyring-daemon is the Secret Service until it ends"))
        session.service.killDaemon()
        try await session.expect(
            "secret-tool", "lookup", "service", "other", "account", "bob", answer: "pw")
        try await session.storesAndFinds("s3cret")
        #expect(try await session.accounts() == ["ada", "bob"])
    }

    @Test(.needs(.python)) func atATerminalItAsks() async throws {
        let session = try DesktopSession()
        try await session.storesAndFinds("s3cret")
        for (answer, status, file) in [("n\n", Int32(48), false), ("y\n", 0, true)] {
            let asked = try await PseudoTerminal(home: session.home).run(
                "lanyard", "setup", "secret-service", variables: session.setupVariables,
                then: .types(answer))
            #expect(asked.status == status, "\(asked)")
            #expect(
                asked.shown.contains("has 1 item; copy them into the keychain first?"), "\(asked)")
            #expect(FileManager.default.fileExists(atPath: session.activationFile) == file)
        }
    }

    /// What can't be copied is a reason to set nothing up, unless that is wanted.
    @Test func itemsThatAreLeftTakeAnOption() async throws {
        let session = try DesktopSession()
        try await session.expect(
            "secret-tool", "store", "--label=x", "application", "chrome", input: "key")
        let refused = try await session.setup("--copy-items")
        #expect(refused.status != 0, "\(refused)")
        #expect(refused.errorText.contains("so nothing was set up"), "\(refused)")
        #expect(refused.errorText.contains("--leave-items"), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: session.activationFile))
        let done = try await session.setup("--leave-items")
        #expect(done.status == 0, "\(done)")
    }

    /// It is not started to be counted: its files tell.
    @Test func itemsOfAServiceThatDoesNotRunCount() async throws {
        let session = try DesktopSession()
        try await session.storesAndFinds("s3cret")
        session.service.killDaemon()
        try session.writeActivation(of: "/usr/bin/gnome-keyring-daemon --start --foreground")
        let file = try session.home.read(session.activationFile)
        let refused = try await session.setup()
        #expect(refused.status == 48, "\(refused)")
        let reason =
            "gnome-keyring-daemon is the Secret Service here and has 1 item in '\(session.data)/keyrings'\n"
        #expect(refused.errorText.contains(reason), "\(refused)")
        #expect(try session.home.read(session.activationFile) == file)
        #expect(try await !session.owns("org.freedesktop.secrets"))

        let done = try await session.setup("--leave-items")
        #expect(done.status == 0, "\(done)")
        #expect(done.outputText.contains("-Exec=/usr/bin/gnome-keyring-daemon"), "\(done)")
        try await session.storesAndFinds("new")
        #expect(try await session.setup("--undo").status == 0)
        #expect(try session.home.read(session.activationFile) == file)
    }

    @Test func oneWithoutItemsIsNamedAndDisplaced() async throws {
        let session = try DesktopSession()
        let done = try await session.setup()
        #expect(done.status == 0, "\(done)")
        let note = "note      gnome-keyring-daemon is the Secret Service until it ends"
        #expect(done.outputText.contains(note), "\(done)")
        session.service.killDaemon()
        try await session.storesAndFinds("s3cret")
        #expect(try await session.accounts() == ["ada"])
    }

    /// While its database is locked, KeePassXC shows no items.
    @Test(.needs(.keePassXC)) func keePassXCKeepsItsPlace() async throws {
        let home = try ScratchHome()
        let service = try PrivateKeePassXC()
        let variables: [String: String?] = [
            "DBUS_SESSION_BUS_ADDRESS": service.address,
            "XDG_DATA_HOME": "\(service.folder)/data",
        ]
        let stored = try await home.command(
            "lanyard", ["set", "x", "--stdin", "--keychain", "secret-service"],
            input: Array("s3cret".utf8), variables: variables
        ).run()
        try #require(stored.status == 0, "\(stored)")
        for items in ["1 item", "items that can't be counted"] {
            let refused = try await home.command(
                "lanyard", ["setup", "secret-service"], variables: variables
            ).run()
            let reason = "lanyard: error: keepassxc is the Secret Service here and has \(items)\n"
            #expect(refused.status == 48 && refused.errorText.hasPrefix(reason), "\(refused)")
            service.kill()
            try service.start(.locked)
        }
    }

    @Test func withoutABusItSaysWhatToDo() async throws {
        let home = try ScratchHome()
        let outcome = try await home.command("lanyard", ["setup", "secret-service"]).run()
        #expect(outcome.status == 53, "\(outcome)")
        #expect(
            outcome.errorText == """
                lanyard: error: there is no session bus here, on which programs look for the Secret Service
                lanyard: hint: lanyard exec --secret-service -- COMMAND makes a bus for one command

                """, "\(outcome)")
    }
}
#endif
