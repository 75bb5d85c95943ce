import Foundation
import Glibc
@testable import KeychainPlugin
import TestSupport
import LanyardSecrets
import Testing

@testable import LinuxSystem

/// Several security keys at once, and fido2-tools that are scripts. Each device is a folder: what it answers without a
/// touch is in `silent`, and with one in `touched`.
@Suite("Several security keys", .serialized, .timeLimit(.minutes(5)))
struct SeveralDevicesTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        // -L: shows what is plugged in.
        _ = try folder.script("fido2-token", "#!/bin/sh\ncat '\(folder.path)/plugged'\n")
        // -G -t up=false DEVICE, or -G -h DEVICE; the third line of input is the credential.
        _ = try folder.script(
            "fido2-assert",
            """
            #!/bin/sh
            for device in "$@"; do :; done
            { read -r _; read -r _; read -r credential; }
            kind=touched
            [ "$2" != -t ] || kind=silent
            cd "\(folder.path)/${device##*/}" || exit 1
            echo "${device##*/} $kind $credential" >>../log
            . "./$kind"

            """)
    }

    /// What a device does: the lines of a script, which ends with the tool's error.
    private enum Answer {
        static func error(_ name: String) -> String {
            "echo 'fido2-assert: fido_dev_get_assert: \(name)' >&2; exit 1"
        }
        /// It knows this credential only, and says so.
        static func knows(_ credential: UInt8) -> String {
            "[ \"$credential\" = \(text(credential)) ] || { \(error("FIDO_ERR_NO_CREDENTIALS")); }"
        }
        static func gives(_ credential: UInt8) -> String {
            "\(knows(credential))\necho \(Data(repeating: credential, count: 32).base64EncodedString())"
        }
        static let hangs = "exec sleep 1000"
        static let wantsPIN = error("FIDO_ERR_PIN_REQUIRED")
        static let isBroken = error("FIDO_ERR_INTERNAL")
        static let isForeign = error("FIDO_ERR_NO_CREDENTIALS")

        static func text(_ credential: UInt8) -> String { Data([credential]).base64EncodedString() }
    }

    private func plugIn(_ devices: [(silent: String, touched: String)]) throws {
        var plugged = ""
        for (number, device) in devices.enumerated() {
            // No machine has as many: whether the user may use it is asked, too.
            let name = "hidraw\(4_000_000_000 + number)"
            plugged += "/dev/\(name): vendor=0x1, product=0x2 (Test \(number))\n"
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: false)
            _ = try folder.write("\(name)/silent", (device.silent + "\n").utf8)
            _ = try folder.write("\(name)/touched", (device.touched + "\n").utf8)
        }
        _ = try folder.write("plugged", plugged.utf8)
    }

    /// What asking for the credentials 1 and 2 comes to: an index and the secret's first byte, or a status.
    private struct Outcome: Codable, Equatable, Sendable {
        var index: Int?
        var secret: UInt8?
        var status: Int32?
        var reason: String?
    }

    private static func prove() -> Outcome {
        let enrollments = [UInt8(1), 2].map {
            FIDO2Enrollment(salt: [UInt8](repeating: 7, count: 32), credential: [$0]).encoded
        }
        do throws(KeychainError) {
            let proof = try FIDO2Prover.prove(
                enrollments, show: { _ in }, until: Deadline(milliseconds: 60_000))
            let first = proof.secret.withBytes { $0[0] }
            return Outcome(index: proof.index, secret: first)
        } catch {
            return Outcome(status: error.status.rawValue, reason: error.reason)
        }
    }

    private func expect(
        _ outcome: Outcome, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let path = folder.path
        await #expect(processExitsWith: .success, sourceLocation: sourceLocation) {
            [path = path as String, outcome = outcome as Outcome] in
            setenv("PATH", "\(path):/usr/bin:/bin", 1)
            let found = SeveralDevicesTests.prove()
            #expect(found == outcome)
        }
    }

    private func log() throws -> [String] {
        try String(contentsOfFile: "\(folder.path)/log", encoding: .utf8)
            .replacing("hidraw400000000", with: "").replacing(Answer.text(1), with: "1")
            .replacing(Answer.text(2), with: "2").split(separator: "\n").map(String.init)
    }

    @Test func aBrokenOneHidesNoOther() async throws {
        try plugIn([
            (Answer.isBroken, Answer.isBroken), (Answer.knows(2), Answer.gives(2)),
        ])
        await expect(Outcome(index: 1, secret: 2))
        #expect(try log() == ["0 silent 1", "1 silent 1", "1 silent 2", "1 touched 2"])
    }

    @Test func oneThatBreaksWhenTouchedHidesNoOther() async throws {
        try plugIn([(Answer.knows(1), Answer.isBroken), (Answer.knows(2), Answer.gives(2))])
        await expect(Outcome(index: 1, secret: 2))
    }

    @Test func oneThatWantsItsPINFirstIsAskedForEachCredential() async throws {
        try plugIn([(Answer.wantsPIN, Answer.gives(2))])
        await expect(Outcome(index: 1, secret: 2))
        #expect(try log() == ["0 silent 1", "0 silent 2", "0 touched 1", "0 touched 2"])
    }

    /// One that says what it made is asked before all that don't.
    @Test(arguments: [
        "FIDO_ERR_NO_CREDENTIALS", "FIDO_ERR_UNSUPPORTED_OPTION", "FIDO_ERR_INTERNAL",
        "FIDO_ERR_PIN_REQUIRED",
    ])
    func aForeignOneHidesNoOther(_ error: String) async throws {
        try plugIn([
            (Answer.wantsPIN, Answer.error(error)), (Answer.isForeign, Answer.isForeign),
            (Answer.knows(1), Answer.gives(1)),
        ])
        await expect(Outcome(index: 0, secret: 1))
        #expect(try log().filter { $0.contains("touched") } == ["2 touched 1"])
    }

    /// The caller then asks for the passphrase.
    @Test func oneThatHangsIsNotHere() async throws {
        try plugIn([(Answer.hangs, Answer.hangs)])
        let start = ContinuousClock.now
        await expect(
            Outcome(
                status: Status.notAvailable.rawValue, reason: "the security key does not answer"))
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(try log() == ["0 silent 1"])
    }

    @Test func foreignOnesOnly() async throws {
        try plugIn([
            (Answer.wantsPIN, Answer.isForeign),
            (
                Answer.error("FIDO_ERR_UNSUPPORTED_OPTION"),
                Answer.error("FIDO_ERR_UNSUPPORTED_EXTENSION")
            ),
            (Answer.isForeign, Answer.isForeign),
        ])
        await expect(
            Outcome(
                status: Status.itemNotFound.rawValue,
                reason: "the security key is not one that is enrolled for this keychain"))
    }

    @Test func aRefusalEndsIt() async throws {
        try plugIn([
            (Answer.knows(1), Answer.error("FIDO_ERR_OPERATION_DENIED")),
            (Answer.knows(2), Answer.gives(2)),
        ])
        await expect(
            Outcome(status: Status.userCanceled.rawValue, reason: "the security key refused"))
    }
}
