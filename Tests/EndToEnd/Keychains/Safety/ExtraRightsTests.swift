import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// A program of ours that has more rights than its user refuses to work.
@Suite(.needs(.root, .anotherUser), .timeLimit(.minutes(10)))
struct ExtraRightsTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    /// How a program has more rights than its user.
    enum Grant: String, CaseIterable, CustomTestStringConvertible {
        case setuid = "4755"
        case setgid = "2755"
        case capabilities

        var testDescription: String { rawValue }
    }

    /// Gives a copy of a program such rights.
    private func grant(_ grant: Grant, _ program: String) async throws -> Bool {
        try await home.command(
            "sh",
            [
                "-euc",
                """
                case $2 in
                capabilities) setcap cap_net_bind_service+ep "$1" ;;
                *) chown 65533:65533 "$1"; chmod "$2" "$1" ;;
                esac
                """, "sh", program, grant.rawValue,
            ]
        ).run().status == 0
    }

    /// Not without the bounding set, where a file's capabilities would have to be.
    private func asAnotherUser(
        _ program: String, _ arguments: [String], input: String = "", folder: String
    ) async throws -> Outcome {
        try await home.command(
            "setpriv",
            ["--reuid=\(AnotherUser.id)", "--regid=\(AnotherUser.id)", "--clear-groups"]
                + [program] + arguments, input: Array(input.utf8),
            variables: ["LANYARD_HOME": folder]
        ).run()
    }

    /// Whether such rights count here at all.
    private func counts(_ grant: Grant) async throws -> Bool {
        let control = "\(home.path)/control"
        try await home.shell("cp \"$(command -v cat)\" \"$1\"; chmod 755 \"$1\"", control)
        guard try await self.grant(grant, control) else {
            return false
        }
        let status = try await asAnotherUser(control, ["/proc/self/status"], folder: "/")
            .outputText.split(separator: "\n")
        let pattern =
            switch grant {
            case .setuid: "Uid:\t65534\t65533"
            case .setgid: "Gid:\t65534\t65533"
            case .capabilities: "CapEff:\t0000000000000400"
            }
        return status.contains { $0.hasPrefix(pattern) }
    }

    @Test(arguments: Grant.allCases, Executable.allCases)
    func areRefused(_ grant: Grant, _ program: Executable) async throws {
        guard try await counts(grant), Executable.built.contains(program) else {
            print("skipped: \(#function): \(grant): no setcap, or such rights don't count here")
            return
        }
        let copy = "\(try home.copiesOfPrograms([program.name]))/\(program.name)"
        #expect(try await self.grant(grant, copy))
        let folder = try home.folderOfAnotherUser()
        let secret = "distinctive-secret"
        let calls = [
            program.storing, program.getting, ["list"], ["--help"], ["--version"], ["nonsense"],
        ]
        for arguments in calls {
            let outcome = try await asAnotherUser(
                copy, arguments, input: program.login(secret), folder: folder)
            let told = outcome.outputText + outcome.errorText
            #expect(![0, nil].contains(outcome.status), "\(outcome)")
            // The sanitizer, which is not told to be silent here, has its own lines behind that.
            let line = /[^\n]*must not be installed setuid, setgid or with capabilities\n/
            let match =
                try Need.isSanitized ? line.prefixMatch(in: told) : line.wholeMatch(in: told)
            #expect(match != nil, "\(outcome)")
        }
        #expect(try Snapshot(folder).entries.count == 1)
    }
}
