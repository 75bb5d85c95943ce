import Foundation
import Testing
@testable import EndToEndRig
import TestSupport

/// What the Makefile refuses.
@Suite(.timeLimit(.minutes(1)))
struct MakefileTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    /// `make install PREFIX=relative` would install below the Makefile's folder, and units that start nothing.
    @Test(
        arguments: ["install", "uninstall", "install-library", "uninstall-library"],
        ["relative", "./relative", "a b/c", "~/x"])
    func aRelativePrefixIsRefused(target: String, prefix: String) async throws {
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

    /// The modules of a build are looked for where they were built.
    @Test func aMovedFolderIsNoticed() async throws {
        let clone = "\(home.path)/clone"
        func outcome() async throws -> Outcome {
            try await home.command(
                "make", ["-C", clone, "-f", "\(Repository.path)/Makefile", "place"]
            ).run()
        }
        try FileManager.default.createDirectory(
            atPath: "\(clone)/.build", withIntermediateDirectories: true)
        _ = try home.write("/elsewhere\n", to: "clone/.build/place")
        let moved = try await outcome()
        #expect(
            moved.status == 2
                && moved.errorText.hasPrefix(
                    """
                    lanyard: error: this folder was moved
                    lanyard: hint: make clean

                    """),
            "\(moved)")
        try FileManager.default.removeItem(atPath: "\(clone)/.build")
        for _ in 0..<2 {
            let outcome = try await outcome()
            #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
        }
    }
}
