import Testing
@testable import EndToEndRig

/// Which programs need libraries at run time: none but the one that uses GLib, for the Secret Service.
@Suite(.needs(.releaseBuild), .timeLimit(.minutes(10)))
struct StaticProgramsTests {
    private static let service = "lanyard-secret-service"
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    @Test(
        .needs(.file),
        arguments: Programs.commands.filter { $0 != StaticProgramsTests.service })
    func needsNoLibrary(_ program: String) async throws {
        let path = "\(try Programs.folder())/\(program)"
        let form = try await home.succeeds("file", "--brief", path)
        #expect(form.outputText.contains("static-pie linked"), "\(form)")
        let libraries = try await home.command("ldd", [path]).run()
        #expect(!libraries.outputText.contains("=>"), "\(libraries)")
    }

    #if SecretService
    /// It is hardened as the others are, and needs no library of Swift's, and no other that they are linked of.
    @Test(.needs(.binutils))
    func thisNeedsTheSecretServicesLibrariesAlone() async throws {
        let path = "\(try Programs.folder())/\(StaticProgramsTests.service)"
        let dynamic = try await home.succeeds("readelf", "-W", "--dynamic", path).outputText
        let needed = dynamic.matches(of: /\(NEEDED\).*\[(.*)\]/).map { String($0.1) }
        let allowed = [
            "libsecret-1.so", "libgio-2.0.so", "libgobject-2.0.so", "libglib-2.0.so",
            "libstdc++.so", "libm.so", "libc.so", "ld-linux",
        ]
        for library in needed {
            #expect(allowed.contains { library.hasPrefix($0) }, "\(library)")
        }
        #expect(dynamic.contains(/\(FLAGS_1\).*\bNOW\b.*\bPIE\b/), "\(dynamic)")
        #expect(!dynamic.contains("PATH)"), "\(dynamic)")
        let segments = try await home.succeeds("readelf", "-W", "--program-headers", path)
            .outputText
        #expect(segments.contains("GNU_RELRO"), "\(segments)")
        #expect(segments.contains(#/GNU_STACK.* RW /#), "\(segments)")
    }
    #endif
}
