import Foundation
import TestSupport
import LanyardSecrets
import Testing

@testable import KeychainPlugin

/// Presence programs that are scripts, as others may write them from the man page alone.
@Suite(.serialized)
struct PresenceProgramTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func program(
        _ script: String, timeLimit: Int64 = 20_000, show: @escaping (String) -> Void = { _ in }
    ) throws -> PresenceProgram {
        let path = try folder.script("program", "#!/bin/sh\nread -r request\n\(script)\n")
        return PresenceProgram(path: path, timeLimit: timeLimit, show: show)
    }

    @Test func enrollsAndProves() throws {
        var shown: [String] = []
        let program = try program(
            """
            echo '{"message":"touch it"}'
            case $request in
            *'"enrollments":["CQ=="]'*) echo '{"error":{"status":-25299}}' ;;
            *'"method":"enroll"'*) echo '{"enrollment":"AQI=","name":"a key","secret":"MDEyMzQ1Njc4OWFiY2RlZg=="}' ;;
            *'"enrollments":["AQI=","Aw=="]'*) echo '{"index":1,"secret":"MDEyMzQ1Njc4OWFiY2RlZg=="}' ;;
            esac
            """
        ) { shown.append($0) }
        #expect(throws: KeychainError(.duplicateItem)) {
            _ = try program.enroll(besides: [[9]])
        }
        let enrolled = try program.enroll(besides: [])
        let (data, name, count) = (enrolled.data, enrolled.name, enrolled.secret.count)
        #expect(data == [1, 2])
        #expect(name == "a key")
        #expect(count == 16)
        let proof = try program.prove([[1, 2], [3]])
        let index = proof.index
        #expect(index == 1)
        #expect(shown == ["touch it", "touch it", "touch it"])
    }

    /// One that does not know the question lets the enrollment begin.
    @Test(
        arguments: [
            ("{}", nil), ("{\"error\":{\"status\":-4}}", nil),
            ("{\"error\":{\"status\":-25291}}", .notAvailable),
        ] as [(String, Status?)])
    func isCheckedFirst(_ answer: String, _ status: Status?) throws {
        let program = try program(
            "case $request in *'\"method\":\"check\"'*) echo '\(answer)' ;; esac")
        var thrown: Status?
        do throws(KeychainError) {
            try program.check(besides: [])
        } catch {
            thrown = error.status
        }
        #expect(thrown == status)
    }

    @Test(
        arguments: [
            (
                "echo '{\"error\":{\"status\":-128,\"reason\":\"no\",\"hint\":\"yes\"}}'",
                Status.userCanceled
            ),
            ("exit 1", .notAvailable), ("echo nonsense", .notAvailable),
            ("printf '{'", .notAvailable),
            ("echo '{}'", .notAvailable),
            ("echo '{\"index\":7,\"secret\":\"MDEyMzQ1Njc4OWFiY2RlZg==\"}'", .notAvailable),
            ("echo '{\"index\":-1,\"secret\":\"MDEyMzQ1Njc4OWFiY2RlZg==\"}'", .notAvailable),
            ("echo '{\"index\":0,\"secret\":\"MDEy\"}'", .notAvailable),
            ("echo '{\"index\":0}'", .notAvailable),
            ("while :; do echo '{\"message\":\"again\"}'; done", .userCanceled),
            ("sleep 100", .userCanceled),
        ] as [(String, Status)])
    func fails(_ script: String, _ status: Status) throws {
        let program = try program(script, timeLimit: status == .userCanceled ? 300 : 20_000)
        let error = #expect(throws: KeychainError.self) { _ = try program.prove([[1]]) }
        #expect(error?.status == status, "\(String(describing: error))")
    }

    @Test func othersMustNotReplaceIt() throws {
        let program = try program("echo '{}'")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o722], ofItemAtPath: "\(folder.path)/program")
        #expect(throws: KeychainError(.writePermissions)) { _ = try program.enroll(besides: []) }
    }

    @Test(arguments: ["nothing", "../lanyard-presence-fido2", ""])
    func anUnknownOneIsNotAvailable(_ name: String) {
        #expect(throws: KeychainError(.notAvailable)) {
            _ = try PresenceProgram(name) { _ in }
        }
    }
}
