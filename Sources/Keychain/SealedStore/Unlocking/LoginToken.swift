package import KeychainServices
internal import LinuxSystem

/// The token of a user's login: 32 random bytes in a folder that the system removes. They last from
/// the user's first login to the last logout.
package enum LoginToken {
    /// The user's folder for one login. XDG_RUNTIME_DIR is ignored: it may be any folder, which the
    /// system does not remove.
    package static var folder: String { "/run/user/\(SystemCalls.effectiveUser)" }

    /// Reads the token.
    ///
    /// - Returns: nil if it is missing, or its folder is missing or not ours alone.
    /// - Throws: ``Status/writePermissions`` if other users can access the file, ``Status/decode``
    ///   if it is not 32 bytes long.
    package static func read(folder: String = folder) throws(KeychainError) -> Secret? {
        guard try isUsable(folder) else {
            return nil
        }
        let path = path(in: folder)
        guard let token = try PrivatePlace.readIfThere(path, limit: 32) else {
            return nil
        }
        guard token.count == 32 else {
            throw KeychainError(
                .decode, "the token '\(path)' is damaged: it is not 32 bytes long",
                hint: "rm \(path.shellQuoted)")
        }
        return token
    }

    /// Reads the token, or creates it. An existing one is never replaced.
    ///
    /// - Returns: nil if the folder is missing or not ours alone.
    package static func readOrMake(folder: String = folder) throws(KeychainError) -> Secret? {
        if let token = try read(folder: folder) {
            return token
        }
        guard try isUsable(folder) else {
            return nil
        }
        let fresh = try RandomBytes.makeKey()
        _ = try fresh.withBytes { bytes throws(KeychainError) in
            try PrivatePlace.createFile(path(in: folder), bytes)
        }
        // Another process may have been faster: the file's content counts.
        guard let token = try read(folder: folder) else {
            throw KeychainError(.io, "the token can't be read after it was written")
        }
        return token
    }

    static func path(in folder: String) -> String { "\(folder)/lanyard-token" }

    private static func isUsable(_ folder: String) throws(KeychainError) -> Bool {
        do throws(KeychainError) {
            try PrivatePlace.checkFolder(folder)
            return true
        } catch  where [.noSuchKeychain, .writePermissions].contains(error.status) {
            return false
        }
    }
}
