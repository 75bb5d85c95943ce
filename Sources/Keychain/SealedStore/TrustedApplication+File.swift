public import KeychainServices
internal import LinuxSystem

extension TrustedApplication {
    /// Creates one for the executable at a path.
    ///
    /// The corresponding function is SecTrustedApplicationCreateFromPath.
    ///
    /// - Parameter name: What it is started by, for the program of all helpers; nil for the path's last component.
    /// - Throws: ``Status/param`` if there is no executable file at the path, or a script: the program that reads
    ///   would be its interpreter.
    public init(executable: String, startedAs name: String? = nil) throws(KeychainError) {
        guard let path = SystemCalls.realPath(executable), SystemCalls.isExecutable(path),
            let status = try? SystemCalls.status(at: path), status.kind == .file,
            let application = TrustedApplication(
                path: ByteString(Installation.path(of: path, startedAs: name ?? executable)),
                owner: status.owner)
        else {
            throw KeychainError(.param, "'\(executable)' is not an executable file")
        }
        guard !TrustedApplication.isScript(path) else {
            throw KeychainError(
                .param,
                "'\(executable)' is a script, and Lanyard sees only the script's interpreter",
                hint: "let Lanyard ask at each use instead: --ask")
        }
        self = application
    }

    private static func isScript(_ path: String) -> Bool {
        guard let number = try? SystemCalls.openForReading(path) else {
            return false
        }
        let file = Descriptor(owning: number)
        let start = try? SystemCalls.read(file.number, 2, at: 0)
        return start.map { $0.elementsEqual("#!".utf8) } ?? false
    }

    /// This program; nil if its executable is unknown, or was replaced since it started.
    ///
    /// A script is its interpreter. The corresponding function is
    /// SecTrustedApplicationCreateFromPath, without a path.
    public static let ofThisProgram = try? TrustedApplication(
        executable: "/proc/self/exe", startedAs: ProgramArguments.name())
}
