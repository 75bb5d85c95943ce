#if SecretService
import Glibc
import TestSupport
import Testing
@testable import EndToEndRig

/// Where Lanyard itself is the Secret Service, it opens its keychains directly.
@Suite(.timeLimit(.minutes(5)), .needs(.plugin, .gnomeKeyring))
struct OwnServiceTests {
    private let git = "git-credential-lanyard"
    private let request = "protocol=https\nhost=example.com\n"
    private var login: String { "\(request)username=ada\npassword=pw\n" }
    private let reason = "Lanyard itself is the Secret Service here"

    @Test func theSearchListGoesOn() async throws {
        let session = try DesktopSession(nil)
        try await session.withOwnService {
            try await session.expect(git, "store", input: login)
            #expect(try await session.keychains() == ["login"])
            try await session.expect(
                git, "get", input: request, answer: "username=ada\npassword=pw\n")
            try await session.expect("lanyard", "keychain", "default", answer: "login\n")
            // "Not found" is the whole answer.
            let missing = try await session.run("lanyard", "get", "nothing")
            #expect(missing.status == 44 && !missing.errorText.contains("Service"), "\(missing)")
            try await session.expect("lanyard", "lock", "--all")
            let status = try await session.status()
            #expect(status["state"] == "unusable" && status["in_use"] == false)
            #expect(status["reason"] == .string(reason))
        }
        // No mark was made: without the service nothing is missing.
        try await session.expect(git, "get", input: request, answer: "username=ada\npassword=pw\n")
        let missing = try await session.run("lanyard", "get", "nothing")
        #expect(missing.status == 44 && !missing.errorText.contains("Service"), "\(missing)")
    }

    @Test func aNamedOneFailsClearly() async throws {
        let session = try DesktopSession(nil)
        try await session.withOwnService {
            for arguments in [
                ["get", "x", "--keychain", "secret-service"], ["import", "secret-service"],
                ["keychain", "create", "desktop", "--kind", "secret-service"],
            ] {
                let outcome = try await session.home.command(
                    "lanyard", arguments, variables: session.variables
                ).run()
                #expect(outcome.status == 48, "\(outcome)")
                #expect(outcome.errorText.contains(reason), "\(outcome)")
                #expect(outcome.errorText.contains("lanyard: hint: "), "\(outcome)")
            }
        }
    }

    /// Chosen, and used while another program was the Secret Service: what it had then is not missed.
    @Test func aChosenOneIsSkippedInSilence() async throws {
        let session = try DesktopSession()
        try await session.expect(git, "store", input: login)
        try await session.expect("lanyard", "keychain", "search-list", "secret-service", "login")
        session.service.killDaemon()
        try await session.withOwnService {
            try await session.expect("lanyard", "set", "token", "--stdin", input: "t")
            try await session.expect("lanyard", "get", "token", answer: "t\n")
            try await session.expect(git, "get", input: request)
            #expect(try await session.keychains() == ["login"])
        }
        try session.service.start(.unlocked)
        #expect(try await session.becomes("unlocked"))
        #expect(try await session.keychains() == ["secret-service", "login"])
    }

    /// Another Lanyard on the bus, under another name, does not make gnome-keyring Lanyard's.
    @Test func anotherNameIsNotTheService() async throws {
        let session = try DesktopSession()
        let beside = try session.home.command(
            "lanyard-secret-service", [],
            variables: session.variables.merging(["SECRET_SERVICE_BUS_NAME": "org.example.Other"]) {
                $1
            })
        _ = try await beside.run { process in
            defer { kill(process, SIGTERM) }
            try await session.waitUntil("org.lanyard.SecretService", isOwned: true)
            try await session.expect(git, "store", input: login)
            #expect(try await session.keychains() == ["secret-service"])
        }
    }

    @Test(.needs(.tracing, .secretsOfProcesses)) func itIsRememberedForAMinute() async throws {
        let session = try DesktopSession(nil)
        try await session.withOwnService {
            for isFirst in [true, false] {
                let log = "\(session.home.path)/trace"
                let outcome = try await session.run(
                    "strace", "-f", "-e", "trace=execve", "-o", log, git, "get", input: request)
                #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
                let text = String(decoding: try session.home.read(log), as: UTF8.self)
                #expect(text.contains("lanyard-secret-service") == isFirst)
            }
        }
    }
}
#endif
