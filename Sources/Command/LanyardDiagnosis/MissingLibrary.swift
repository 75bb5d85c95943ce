package import KeychainServices
package import ToolSetup

/// A library that a program of Lanyard's lacks, by the words of the dynamic linker.
package struct MissingLibrary {
    private let program: String
    private let name: Substring

    /// Starts a program.
    ///
    /// - Returns: Nil if it has all its libraries.
    package init?(of program: String, _ environment: SetupEnvironment) {
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

    /// The command that installs it, nil if its package is unknown.
    private var command: String? {
        MissingLibrary.packages[String(name)].map { "sudo apt install \($0)" }
    }

    /// The error for a keychain whose program it is.
    package var error: KeychainError {
        KeychainError(
            .notAvailable, "the library \(name) is missing",
            hint: command ?? "install the package that has it")
    }

    /// - Parameter isUsed: Whether the user has set Lanyard's Secret Service up, or chosen a keychain there: otherwise it is
    ///   only worth knowing.
    func finding(isUsed: Bool) -> Finding {
        let what: FindingText =
            "'\(path: program)' can't start: the library \(said: String(name)) is missing"
        var finding =
            command.map {
                Finding(.secretServiceLibraryMissing, what, command: "\(plain: $0)")
            }
            ?? Finding(
                .secretServiceLibraryMissing, what, advice: "install the package that has it")
        if !isUsed {
            finding.severity = .note
        }
        return finding
    }
}
