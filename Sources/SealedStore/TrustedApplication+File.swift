public import KeychainServices
internal import LinuxSystem

extension TrustedApplication {
    /// Creates one for the executable at a path.
    ///
    /// The corresponding function is SecTrustedApplicationCreateFromPath.
    ///
    /// - Throws: ``Status/param`` if there is no executable file at the path.
    public init(executable: String) throws(KeychainError) {
        guard let path = SystemCalls.realPath(executable), SystemCalls.isExecutable(path),
            let status = try? SystemCalls.status(at: path), status.kind == .file,
            let application = TrustedApplication(path: ByteString(path), owner: status.owner)
        else {
            throw KeychainError(.param, "'\(executable)' is not an executable file")
        }
        self = application
    }

    /// This program; nil if its executable is unknown, or was replaced since it started.
    ///
    /// A script is its interpreter. The corresponding function is
    /// SecTrustedApplicationCreateFromPath, without a path.
    public static let ofThisProgram = try? TrustedApplication(executable: "/proc/self/exe")
}
