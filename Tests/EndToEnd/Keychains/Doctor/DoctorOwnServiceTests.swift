#if SecretService
import Foundation
import TestSupport
import Testing
@testable import EndToEndRig

/// `lanyard doctor` says which program is the Secret Service, and what is wrong with Lanyard's setup.
@Suite(.needs(.plugin, .privateBus, .gnomeKeyring), .timeLimit(.minutes(5)))
struct DoctorOwnServiceTests {
    private let setup = "lanyard setup secret-service"

    private func codes(_ session: DesktopSession) async throws -> [String] {
        try await session.findings().map(\.code)
    }

    @Test func anotherProgramIsNamed() async throws {
        let session = try DesktopSession(nil)
        // The bus of these tests starts no program of the machine's, but doctor can't know that.
        let isActivatable = FileManager.default.fileExists(
            atPath: "/usr/share/dbus-1/services/org.freedesktop.secrets.service")
        let none = try await session.findings()
        #expect(none.map(\.code) == (isActivatable ? [] : ["secret-service-none"]))
        #expect(none.allSatisfy { $0.command == setup })

        try session.service.start(.unlocked)
        let other = try await session.findings()
        #expect(other.map(\.code) == ["secret-service-other"])
        #expect(
            other.first?.what.contains("gnome-keyring-daemon' is the Secret") == true, "\(other)")
        #expect(other.first?.advice?.contains(setup) == true, "\(other)")

        try await session.storesAndFinds("s3cret")
        #expect(try await session.setup("--leave-items").status == 0)
        let displaced = try await session.findings()
        #expect(displaced.map(\.code) == ["secret-service-displaced"])
        #expect(displaced.first?.what.hasSuffix("with 1 item") == true, "\(displaced)")
    }

    @Test func aMissingOrOtherProgramIsSetUpAgain() async throws {
        let session = try DesktopSession(nil)
        try session.writeActivation(of: "/nonexistent/gnome-keyring-daemon --start")
        #expect(try await codes(session) == ["secret-service-program-missing"])
        #expect(try await session.setup().status == 0)
        #expect(try await codes(session) == [])

        // As after an upgrade that moved Lanyard: the old one is gone, or still there.
        let old = "\(session.home.path)/old/lanyard-secret-service"
        for isThere in [false, true] {
            if isThere {
                try FileManager.default.createDirectory(
                    atPath: "\(session.home.path)/old", withIntermediateDirectories: true)
                try ScratchFolder.copyProgram(
                    "\(try Programs.folder())/lanyard-secret-service", to: old)
            }
            try session.writeActivation(of: "\(old) --exit-when-idle")
            let found = try await session.findings()
            #expect(
                found.map(\.code)
                    == [isThere ? "secret-service-other-path" : "secret-service-program-missing"])
            #expect(found.first?.command == setup, "\(found)")
            #expect(try await session.setup().status == 0)
            #expect(try await codes(session) == [])
        }

        // The old one still runs.
        try session.writeActivation(of: "\(old) --exit-when-idle")
        try await session.storesAndFinds("s3cret")
        #expect(try await session.setup().status == 0)
        let running = try await session.findings()
        #expect(running.map(\.code) == ["secret-service-old-program"])
        let command = try #require(running.first?.command)
        try await session.home.shell(command)
        try await session.waitUntil("org.freedesktop.secrets", isOwned: false)
        try await session.storesAndFinds("s3cret")
        #expect(try await codes(session) == [])
    }

    @Test func twoFilesForTheBus() async throws {
        let session = try DesktopSession(nil)
        #expect(try await session.setup().status == 0)
        let other = "\(session.data)/dbus-1/services/keepassxc.service"
        try session.writeActivation(of: "/usr/bin/true", to: other)
        let found = try await session.findings()
        #expect(found.map(\.code) == ["secret-service-several-files"])
        let advice = try #require(found.first?.advice)
        #expect(advice.hasSuffix("rm '\(other)'"), "\(found)")
    }

    @Test func aUnitThatDoesNotRun() async throws {
        let session = try DesktopSession(nil)
        try session.addScriptedSystemd()
        #expect(try await session.setup().status == 0)
        _ = try await session.home.command(
            "systemctl", ["--user", "stop", "lanyard-secret-service.service"],
            variables: session.setupVariables
        ).run()
        let found = try await session.findings()
        #expect(found.map(\.code) == ["secret-service-not-running"])
        let command = try #require(found.first?.command)
        let restarted = try await session.home.command(
            "sh", ["-c", command], variables: session.setupVariables
        ).run()
        #expect(restarted.status == 0, "\(restarted)")
        #expect(try await codes(session) == [])

        let noBus = try await session.findings(variables: [
            "DBUS_SESSION_BUS_ADDRESS": nil, "XDG_RUNTIME_DIR": "\(session.home.path)/run",
        ])
        #expect(noBus.map(\.code) == ["secret-service-no-bus"])
        #expect(noBus.first?.advice?.contains("lanyard exec --secret-service") == true)
        let unknown = try await session.findings(variables: [
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"
        ])
        #expect(unknown.map(\.code) == ["secret-service-unknown"])
        #expect(try await session.setup("--undo").status == 0)
    }
}
#endif
