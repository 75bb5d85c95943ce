import Foundation
import Testing
@testable import EndToEndRig
import TestSupport

/// What makes an error in memory harder to use, in every program that is built.
@Suite(.needs(.releaseBuild), .timeLimit(.minutes(10)))
struct HardeningTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    @Test func everyProgramIsHardened() async throws {
        let root = Repository.path
        #if SecretService
        let secretService = "yes"
        #else
        let secretService = "no"
        #endif
        let programs = try await home.succeeds(
            "make", "-s", "--no-print-directory", "-C", root, "print-executables",
            "SECRET_SERVICE=\(secretService)"
        ).outputText.split(separator: "\n")
        #expect(programs.contains("lanyard"))
        for program in programs {
            let form = try ExecutableForm("\(try Programs.folder())/\(program)")
            #expect(form.weaknesses == [], "\(program)")
        }
    }

    /// Else the test above would say nothing.
    @Test(.needs(.gcc)) func aProgramThatIsNotHardenedIsNoticed() async throws {
        let source = "\(home.path)/program.c"
        try Data("int main(void) { return 0; }\n".utf8).write(to: URL(filePath: source))
        let program = "\(home.path)/program"
        let weak: [([String], String)] = [
            (["-no-pie"], "fixed address"), (["-pie", "-Wl,-z,lazy"], "bound while it runs"),
            (["-Wl,-z,norelro"], "read-only after relocation"),
            (["-Wl,-z,execstack"], "stack is executable"),
            (["-nostdlib", "-static", "-Wl,-N,-e,main"], "writable and executable"),
            (["-Wl,-rpath,/opt"], "path of its own"),
        ]
        for (options, weakness) in weak {
            let outcome = try await home.command("gcc", options + ["-o", program, source]).run()
            #expect(outcome.status == 0, "\(outcome)")
            let found = try ExecutableForm(program).weaknesses
            #expect(found.contains { $0.contains(weakness) }, "\(options): \(found)")
        }
    }

    /// Whether C code checks its stack and the sizes of its buffers can't be seen in a program without
    /// symbols: the libraries that are linked into it are looked at.
    @Test(
        .needs(.gcc, .binutils), arguments: ["sqlite3", "sodium", "crypto", "keyutils"])
    func aLibraryChecksItsStackAndItsBuffers(_ name: String) async throws {
        let library = try await home.succeeds("gcc", "-print-file-name=lib\(name).a").outputText
            .split(separator: "\n")[0]
        let symbols = try await home.succeeds("nm", "-u", String(library)).outputText
        #expect(symbols.contains("U __stack_chk_fail\n"), "\(library)")
        #expect(symbols.contains(/U __\w+_chk\n/), "\(library)")
    }
}
