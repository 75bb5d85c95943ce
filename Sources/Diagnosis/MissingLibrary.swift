internal import ToolSetup

/// A library that a program of Lanyard's lacks, by the words of the dynamic linker.
struct MissingLibrary {
    private let program: String
    private let name: Substring

    /// Starts a program.
    ///
    /// - Returns: Nil if it has all its libraries.
    init?(of program: String, _ environment: SetupEnvironment) {
        // ld.so(8): PROGRAM: error while loading shared libraries: NAME: cannot open shared object file: …
        let start = "error while loading shared libraries: "
        guard
            let complaint = try? ForeignProgram(program, environment).run(["--version"]).complaint,
            let range = complaint.firstRange(of: start)
        else {
            return nil
        }
        self.program = program
        name = complaint[range.upperBound...].prefix { $0 != ":" && !$0.isNewline }
    }

    /// The packages of Debian with the libraries that these programs use.
    private static let packages = [
        "libsecret-1.so.0": "libsecret-1-0", "libglib-2.0.so.0": "libglib2.0-0",
        "libgobject-2.0.so.0": "libglib2.0-0", "libgio-2.0.so.0": "libglib2.0-0",
    ]

    var finding: Finding {
        let package = MissingLibrary.packages[String(name)]
        return Finding(
            .secretServiceLibraryMissing,
            "'\(path: program)' can't start: the library \(said: String(name)) is missing",
            advice:
                "install \(plain: package.map { "the package \($0)" } ?? "the package that has it")"
        )
    }
}
