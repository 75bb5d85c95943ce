import Foundation
import Glibc
import TestSupport
import Testing
@testable import EndToEndRig

/// How the program is built: one file that needs nothing, and gives an attacker little.
@Suite(.needs(.releaseBuild), .timeLimit(.minutes(10)))
struct ExecutableFormTests {
    let home: ScratchHome
    let helper: String

    init() throws {
        home = try ScratchHome()
        helper = "\(try Programs.folder())/git-credential-lanyard"
    }

    private func readelf(_ option: String) async throws -> [Substring] {
        try await home.succeeds("readelf", "-W", option, helper).outputText.split(separator: "\n")
    }

    @Test func hasAtMostTwelveMegabytes() throws {
        var status = stat()
        #expect(stat(helper, &status) == 0)
        #expect(status.st_size <= 12_000_000)
        #expect(status.st_size > 500_000, "this is no whole program")
    }

    @Test(.needs(.binutils)) func isStaticAndPositionIndependent() async throws {
        let header = try await readelf("--file-header")
        #expect(header.contains { $0.contains(/Type: +DYN\b/) }, "\(header)")
        let segments = try await readelf("--program-headers")
        #expect(!segments.contains { $0.contains("INTERP") }, "\(segments)")
        let dynamic = try await readelf("--dynamic")
        #expect(dynamic.contains { $0.contains(/\(FLAGS_1\).*\bPIE\b/) }, "\(dynamic)")
        for unwanted in ["(NEEDED)", "(RUNPATH)", "(RPATH)", "(TEXTREL)"] {
            #expect(!dynamic.contains { $0.contains(unwanted) }, "\(dynamic)")
        }
    }

    @Test(.needs(.binutils)) func hasNoWritableCodeAndNoExecutableStack() async throws {
        let segments = try await readelf("--program-headers")
        // Offset, two addresses and two sizes stand before the flags.
        let flags = segments.compactMap {
            $0.firstMatch(of: #/^ +(\w+) +(?:0x\w+ +){5}([RWE ]{3}) /#)
        }
        #expect(flags.count >= 8, "\(segments)")
        for segment in flags {
            #expect(!(segment.2.contains("W") && segment.2.contains("E")), "\(segment.0)")
        }
        let stack = try #require(flags.first { $0.1 == "GNU_STACK" })
        #expect(!stack.2.contains("E"))
    }

    @Test(.needs(.binutils)) func hasNothingToBindLater() async throws {
        let segments = try await readelf("--program-headers")
        #expect(segments.contains { $0.contains("GNU_RELRO") }, "\(segments)")
        let dynamic = try await readelf("--dynamic")
        #expect(dynamic.contains { $0.contains(/\(FLAGS\).*BIND_NOW/) }, "\(dynamic)")
        #expect(dynamic.contains { $0.contains(/\(FLAGS_1\).*\bNOW\b/) }, "\(dynamic)")
        // Every section that relocation writes to is in the part that is made read-only.
        let mapping = try #require(segments.first { $0.contains(".got ") })
        #expect(mapping.contains(".data.rel.ro"), "\(mapping)")
    }

    @Test(.needs(.file)) func isStripped() async throws {
        let outcome = try await home.succeeds("file", "--brief", "--dereference", helper)
        #expect(outcome.outputText.contains("static-pie linked"), "\(outcome)")
        #expect(outcome.outputText.contains(", stripped"), "\(outcome)")
    }

    /// No library, no locale, no time zone, no list of users, no devices; Swift itself wants /proc.
    @Test(.needs(.root, .mounts)) func runsInARootWithNothingInItButProc() async throws {
        let root = "\(home.path)/root"
        for folder in ["home", "proc"] {
            try FileManager.default.createDirectory(
                atPath: "\(root)/\(folder)", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        try ScratchFolder.copyProgram(helper, to: "\(root)/git-credential-lanyard")
        let request = "protocol=https\nhost=example.com\nusername=ada\n"
        func run(_ operation: String, _ input: String) async throws -> Outcome {
            let script =
                "mount -t proc proc \"$1/proc\"; exec chroot \"$1\" /git-credential-lanyard \"$2\""
            return try await home.command(
                "unshare",
                ["--mount", "--propagation", "private"]
                    + ["sh", "-euc", script, "sh", root, operation],
                input: Array(input.utf8), variables: ["LANYARD_HOME": nil, "HOME": "/home"]
            ).run()
        }
        expectAnswer(try await run("store", "\(request)password=pw\n"), "")
        expectAnswer(try await run("get", request), "username=ada\npassword=pw\n")
    }
}
