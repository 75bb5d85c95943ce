internal import Glibc
public import KeychainServices
internal import LinuxSystem

/// The executable of a plugin.
public enum PluginExecutable {
    /// Returns the name of the executable for a kind of keychain.
    public static func name(kind: String) -> String { "lanyard-keychain-\(kind)" }

    /// Checks that an executable can run, and that only the user or root could have replaced it.
    ///
    /// - Returns: Its path without symbolic links, to be run.
    /// - Throws: ``Status/notAvailable`` if it is missing or can't run, ``Status/writePermissions``
    ///   with the command that fixes it.
    public static func check(_ path: String) throws(KeychainError) -> String {
        guard path.hasPrefix("/"), let real = SystemCalls.realPath(path) else {
            throw KeychainError(.notAvailable, "keychain plugin '\(path)' not found")
        }
        // A link's own folder, too, because another link could replace it.
        for path in [path, real] {
            try checkOwner(PrivatePlace.parent(of: path) ?? "/", isFolder: true)
        }
        try checkOwner(real, isFolder: false)
        guard SystemCalls.isExecutable(real) else {
            throw KeychainError(
                .notAvailable, "the keychain plugin '\(path)' can't be run",
                hint: "chmod +x \(PrivatePlace.quoted(real))")
        }
        return real
    }

    private static func checkOwner(_ path: String, isFolder: Bool) throws(KeychainError) {
        let noun = isFolder ? "folder" : "keychain plugin"
        // Resolves the folder if it is a link.
        guard let real = SystemCalls.realPath(path), let status = try? SystemCalls.status(at: real)
        else {
            throw KeychainError(.notAvailable, "\(noun) '\(path)' not found")
        }
        guard status.kind == (isFolder ? .folder : .file) else {
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
                    ? "use a folder of its own" : "chmod go-w \(PrivatePlace.quoted(real))")
        }
    }
}
