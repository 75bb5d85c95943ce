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

    /// What is installed is listed, and that alone is removed.
    @Test func whatWasInstalledIsRemoved() async throws {
        let prefix = "\(home.path)/prefix"
        func make(_ target: String) async throws -> Outcome {
            let programs = try Programs.folder()
            return try await home.command(
                "make",
                [
                    "-C", Repository.path, target, "PREFIX=\(prefix)",
                    "BIN=\(programs)",
                ]
            ).run()
        }
        func files() -> [String] {
            (FileManager.default.enumerator(atPath: prefix)?.compactMap { $0 as? String } ?? [])
                .sorted()
        }
        try FileManager.default.createDirectory(
            atPath: "\(prefix)/bin", withIntermediateDirectories: true)
        _ = try home.write("", to: "prefix/bin/another")
        let installed = try await make("install")
        #expect(installed.status == 0, "\(installed)")
        let version = try await home.command("\(prefix)/bin/lanyard", ["--version"]).run()
        #expect(version.status == 0, "\(version)")
        let unit = try String(
            contentsOfFile: "\(prefix)/lib/systemd/user/lanyard-ssh-agent.service", encoding: .utf8)
        #expect(unit.contains("\(prefix)/bin/lanyard-ssh-agent"))
        for path in [
            "bin/git-credential-lanyard", "bin/lanyard-ssh-agent", "libexec/lanyard/bin/keyring",
            "libexec/lanyard/lanyard-pam", "lib/lanyard/python/lanyard_keyring.py",
            "share/man/man1/lanyard.1", "share/bash-completion/completions/lanyard",
        ] {
            #expect(FileManager.default.fileExists(atPath: "\(prefix)/\(path)"), "\(path)")
        }
        let removed = try await make("uninstall")
        #expect(removed.status == 0, "\(removed)")
        #expect(files().filter { $0.contains("lanyard") } == [])
        #expect(files().contains("bin/another"))
        let again = try await make("uninstall")
        #expect(
            again.errorText.hasPrefix("lanyard: error: nothing to uninstall in '\(prefix)'\n"),
            "\(again)")
    }

    /// What was linked of a library that an upgrade replaced is linked again, whatever date the new one has.
    @Test(arguments: ["untouched", "replaced", "gone"])
    func aProgramOlderThanItsLibraryIsOutdated(library change: String) async throws {
        let program = try home.write("program", to: "program")
        let library = try home.write("library", to: "liba b.a")
        let record = try home.write(
            """
            \(program): \\
             \(Repository.path)/Package.swift \\
             \(library.replacing(" ", with: "\\ "))

            \(Repository.path)/Package.swift:

            """, to: "record")
        try await Task.sleep(for: .milliseconds(1100))
        switch change {
        case "replaced":
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: library)
        case "gone": try FileManager.default.removeItem(atPath: library)
        default: break
        }
        let outcome = try await home.command(
            "\(Repository.path)/helpers/remove-outdated", ["\(home.path)/missing", record]
        ).run()
        #expect(outcome.status == 0, "\(outcome)")
        #expect(FileManager.default.fileExists(atPath: program) == (change == "untouched"))
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
