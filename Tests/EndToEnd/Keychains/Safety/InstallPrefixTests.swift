import Foundation
import Testing
@testable import EndToEndRig
import TestSupport

/// `make install PREFIX=relative` would install below the Makefile's folder, and units that start nothing.
@Suite(.timeLimit(.minutes(1)))
struct InstallPrefixTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    @Test(
        arguments: ["install", "uninstall", "install-library", "uninstall-library"],
        ["relative", "./relative", "a b/c", "~/x"])
    func aRelativeOneIsRefused(target: String, prefix: String) async throws {
        let root = URL(filePath: Repository.path)
        let outcome = try await home.command(
            "make", ["-C", root.path, target, "PREFIX=\(prefix)", "DESTDIR=\(home.path)/"]
        ).run()
        #expect(outcome.status == 2, "\(outcome)")
        #expect(
            outcome.errorText.hasPrefix(
                """
                lanyard: error: PREFIX must be an absolute path, not \(prefix)
                lanyard: hint: make \(target) PREFIX="$PWD/\(prefix)"

                """), "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: "\(home.path)/relative"))
    }
}
