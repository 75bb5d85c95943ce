#if SecretService
import Foundation
import Glibc
import TestSupport
import Testing
@testable import EndToEndRig

/// How `lanyard-secret-service` starts and ends.
@Suite(.timeLimit(.minutes(5)), .needs(.dbus, .python))
struct SecretServiceLifeTests {
    let session: DesktopSession

    init() throws {
        session = try DesktopSession(nil)
    }

    /// Lets the bus start the service when a client calls it.
    private func activate(_ arguments: String...) async throws {
        let services = "\(session.service.folder)/services"
        try FileManager.default.createDirectory(
            atPath: services, withIntermediateDirectories: true)
        let command = ["\(try Programs.folder())/lanyard-secret-service"] + arguments
        try """
        [D-BUS Service]
        Name=org.freedesktop.secrets
        Exec=\(command.joined(separator: " "))

        """.write(toFile: "\(services)/secrets.service", atomically: true, encoding: .utf8)
        let outcome = try await session.run(
            "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/",
            "org.freedesktop.DBus.ReloadConfig")
        try #require(outcome.status == 0, "\(outcome)")
    }

    /// `LANYARD_TEST_SECONDS` of clients and kills, or some.
    private var seconds: String {
        ProcessInfo.processInfo.environment["LANYARD_TEST_SECONDS"] ?? "5"
    }

    @Test func killedServiceLosesNothing() async throws {
        try await activate("--exit-when-idle")
        try await session.client("killed", ["32", seconds])
    }

    @Test func serviceThatEndsWhenIdleLosesNoCall() async throws {
        try await activate("--exit-when-idle=0")
        try await session.client("idle", ["5"])
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func signalEndsIt(_ signal: Int32) async throws {
        let errors = try await session.withOwnService(during: { process in
            kill(process, signal)
            try await session.waitUntil("org.freedesktop.secrets", isOwned: false)
            #expect(try await !session.owns("org.freedesktop.secrets"))
        })
        #expect(errors == "")
    }

    /// The service takes long for each signal that it begins to catch.
    @Test(.needs(.tracing)) func signalEndsItOnceItIsFound() async throws {
        let service = "\(try Programs.folder())/lanyard-secret-service"
        var command = try session.home.command(
            "strace",
            [
                "-D", "-qq", "-o", "/dev/null", "-e",
                "inject=rt_sigaction:delay_enter=100ms", service,
            ], variables: session.variables)
        command.timeLimit = .seconds(60)
        let (outcome, _) = try await command.run { [session] process in
            try await session.waitUntil("org.freedesktop.secrets", isOwned: true)
            kill(process, SIGTERM)
        }
        #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
    }

    @Test func signalEndsItAlsoWhenAClientKeepsIt() async throws {
        try await session.client("signaled", ["\(Programs.folder())/lanyard-secret-service"])
    }

    @Test(.needs(.unsanitized)) func idleServiceIsSmall() async throws {
        _ = try await session.withOwnService { [session] process in
            try await session.expect("secret-tool", "store", "--label=a", "k", "v", input: "secret")
            try await session.expect("secret-tool", "lookup", "k", "v", answer: "secret")
            var kibibytes = Int.max
            let end = ContinuousClock.now + .seconds(20)
            while kibibytes > 12 * 1_024, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(100))
                let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
                let line = try #require(
                    status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
                kibibytes = try #require(line.split(separator: " ").compactMap { Int($0) }.first)
            }
            #expect(kibibytes <= 12 * 1_024)
        }
    }

    @Test func itEndsWithTheBus() async throws {
        let command = try session.home.command(
            "lanyard-secret-service", [], variables: session.variables)
        let (outcome, _) = try await command.run { [session] _ in
            try await session.waitUntil("org.freedesktop.secrets", isOwned: true)
            kill(session.service.bus, SIGKILL)
        }
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.error == [] && outcome.output == [], "\(outcome)")
    }

    @Test func secondOneSaysThatTheNameIsTaken() async throws {
        try await session.withOwnService { [session] in
            let outcome = try await session.run("lanyard-secret-service")
            #expect(outcome.status == 1)
            #expect(
                outcome.errorText.hasPrefix(
                    "lanyard: error: another program is the Secret Service"), "\(outcome)")
        }
    }

    @Test(
        arguments: [
            "--exit-when-idle=", "--exit-when-idle=-1", "--exit-when-idle=1s",
            "--exit-when-idle=86401", "--none", "x",
        ])
    func wrongArgumentsAreRefused(_ argument: String) async throws {
        let outcome = try await session.run("lanyard-secret-service", argument)
        #expect(outcome.status == 1)
        #expect(outcome.errorText.hasPrefix("lanyard: error: "), "\(outcome)")
        #expect(outcome.errorText.contains("lanyard: hint: "), "\(outcome)")
    }
}
#endif
