package import LinuxSystem
package import LanyardSecrets

/// A program that Lanyard starts for itself, from its own folder or from where the user says.
package enum PluginProgram {
    /// Returns the path of a program. It is in `../libexec/lanyard` relative to the running program, with links
    /// resolved, or next to the program; nil if it is in neither.
    ///
    /// - Parameters:
    ///   - name: The program's name, which may come from a configuration and is never a path.
    ///   - installation: The installation of the running program.
    package static func find(
        _ name: String, in installation: Installation? = Installation()
    ) -> String? {
        guard let installation, !name.utf8.contains(UInt8(ascii: "/")) else {
            return nil
        }
        return installation.file("libexec/lanyard/\(name)") ?? installation.neighbour(name)
    }

    /// Checks that an executable can run, and that only the user or root could have replaced it.
    ///
    /// - Parameter what: The program, for messages.
    /// - Returns: Its path without symbolic links, to be run.
    /// - Throws: ``Status/notAvailable`` if it is missing or can't run, ``Status/writePermissions``
    ///   with the command that fixes it.
    package static func check(_ path: String, _ what: String) throws(KeychainError) -> String {
        guard path.hasPrefix("/"), let real = SystemCalls.realPath(path) else {
            throw KeychainError(.notAvailable, "\(what) '\(path)' not found")
        }
        // A link's own folder, too, because another link could replace it.
        for path in [path, real] {
            try checkOwner(PrivatePlace.folder(of: path), nil)
        }
        try checkOwner(real, what)
        guard SystemCalls.isExecutable(real) else {
            throw KeychainError(
                .notAvailable, "the \(what) '\(path)' can't be run",
                hint: "chmod +x \(real.shellQuoted)")
        }
        return real
    }

    /// - Parameter what: The program, nil for a folder.
    private static func checkOwner(_ path: String, _ what: String?) throws(KeychainError) {
        let noun = what ?? "folder"
        // Resolves the folder if it is a link.
        guard let real = SystemCalls.realPath(path), let status = try? SystemCalls.status(at: real)
        else {
            throw KeychainError(.notAvailable, "\(noun) '\(path)' not found")
        }
        guard status.kind == (what == nil ? .folder : .file) else {
            throw KeychainError(.writePermissions, "the \(noun) '\(path)' is not a file")
        }
        guard [0, SystemCalls.effectiveUser].contains(status.owner) else {
            throw KeychainError(
                .writePermissions, "the \(noun) '\(path)' belongs to another user")
        }
        guard status.permissions & 0o022 == 0 else {
            throw KeychainError(
                .writePermissions, "other users can write to the \(noun) '\(path)'",
                hint: status.permissions & 0o1000 != 0
                    ? "use a folder of its own" : "chmod go-w \(real.shellQuoted)")
        }
    }
}
