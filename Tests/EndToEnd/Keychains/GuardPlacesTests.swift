import Foundation
import Testing
@testable import EndToEndRig
import TestSupport

/// What every run of the tests ends with: nothing that Lanyard knows of the caller's has changed.
@Suite struct GuardPlacesTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private static let message =
        "lanyard: error: tests changed or removed files of your own:\n"

    /// The files that are named. Kernel keys are left out: tests beside this one have some of the same user.
    private func files(in outcome: Outcome) -> [String] {
        outcome.errorText.replacing(Self.message, with: "").split(separator: "\n")
            .map(String.init).filter { !$0.hasPrefix("kernel key ") }
    }

    /// A run that does this to the caller's files.
    private func run(_ script: String) async throws -> Outcome {
        try await home.command(
            "bash",
            ["\(Repository.path)/Tests/Support/run/guard-places", "sh", "-euc", "cd; \(script)"],
            variables: ["LANYARD_HOME": nil]
        ).run()
    }

    @Test(arguments: [
        "home/.netrc", "home/.git-credentials", "home/.docker/config.json",
        "home/.local/share/lanyard/login.keychain", "run/containers/auth.json",
    ]) func aLoginThatIsChangedOrRemovedFailsTheRun(_ file: String) async throws {
        let folder = URL(filePath: "\(home.path)/\(file)").deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = try home.write("ada hunter2\n", to: file)
        for script in ["printf 'ada hunter3\\n' >../\(file)", "rm ../\(file)"] {
            let outcome = try await run(script)
            #expect(outcome.status == 1, "\(outcome)")
            #expect(outcome.errorText.hasPrefix(Self.message), "\(outcome)")
            #expect(files(in: outcome) == ["\(home.path)/\(file)"], "\(outcome)")
        }
    }

    @Test func aRunThatOnlyAddsAndReadsEndsAsItsCommandDoes() async throws {
        _ = try home.write("machine a login ada password hunter2\n", to: "home/.netrc")
        let outcome = try await run("cat .netrc >/dev/null; echo x >.git-credentials; exit 7")
        #expect(outcome.status == 7 && files(in: outcome).isEmpty, "\(outcome)")
    }
}
