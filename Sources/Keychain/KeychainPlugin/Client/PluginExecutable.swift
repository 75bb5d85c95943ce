public import KeychainServices

/// The executable of a plugin.
public enum PluginExecutable {
    /// Returns the name of the executable for a kind of keychain.
    public static func name(kind: String) -> String { "lanyard-keychain-\(kind)" }

    static let words = "keychain plugin"

    /// Checks that an executable can run, and that only the user or root could have replaced it.
    ///
    /// - Returns: Its path without symbolic links, to be run.
    /// - Throws: ``Status/notAvailable`` if it is missing or can't run, ``Status/writePermissions``
    ///   with the command that fixes it.
    public static func check(_ path: String) throws(KeychainError) -> String {
        try PluginProgram.check(path, words)
    }
}
