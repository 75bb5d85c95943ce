import Foundation
import Testing
@testable import EndToEndRig

/// A file with values of many megabytes: a clear error, at once and without the
/// memory that they would take.
@Suite(.needs(.sqlite, .python), .serialized, .timeLimit(.minutes(10)))
struct GiantValueTests {
    let home: ScratchHome
    private static let request = "protocol=https\nhost=one.example\n"

    init() async throws {
        home = try ScratchHome()
        for name in ["one", "two"] {
            try await home.store(
                "protocol=https\nhost=\(name).example\nusername=ada\npassword=distinctive-\(name)\n"
            )
        }
    }

    /// Runs a program, and prints the most memory that it had, in KiB, and the milliseconds of
    /// processor time that it took.
    private static let measure = """
        import resource, subprocess, sys
        with open(sys.argv[1], "rb") as request:
            ending = subprocess.run(sys.argv[3:], stdin=request)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(sys.argv[2], "w") as figures:
            print(used.ru_maxrss, round((used.ru_utime + used.ru_stime) * 1000), file=figures)
        sys.exit(ending.returncode)
        """

    @Test(arguments: [
        "item SET secret", "item SET attributes", "item SET account", "item SET id",
        "item SET server", "item SET service",
        "keychain SET keybag", "keychain SET row_set",
    ])
    func isRefusedInLittleMemory(_ value: String) async throws {
        let place = value.hasPrefix("item") ? " WHERE change = 1" : ""
        try await home.succeeds(
            "sqlite3", home.keychain, "UPDATE \(value) = zeroblob(100000000)\(place)")
        let request = try home.write(Self.request, to: "request")
        let figures = "\(home.path)/figures"
        for arguments in [
            ["git-credential-lanyard", "get"], ["git-credential-lanyard", "erase"],
            ["lanyard", "list", "--json"], ["lanyard", "get", "https://one.example"],
            ["lanyard", "verify"],
        ] {
            let outcome = try await home.command(
                "python3", ["-c", Self.measure, request, figures] + arguments
            ).run()
            #expect(!outcome.outputText.contains("distinctive"), "\(outcome)")
            #expect(!outcome.errorText.contains("distinctive"), "\(outcome)")
            #expect(
                outcome.status != 0 && outcome.errorText.hasPrefix("lanyard: error: "),
                "\(outcome)")
            let used = String(decoding: try home.read(figures), as: UTF8.self)
                .split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            try #require(used.count == 2)
            if !Need.isSanitized {
                #expect(used[0] < 64 << 10, "\(arguments): \(used[0]) KiB")
                #expect(used[1] < 1000, "\(arguments): \(used[1]) ms")
            }
        }
    }
}
