internal import CLinux
package import Glibc
package import LanyardSecrets

/// A checked folder that is held open. Operations happen in this folder, even if its path leads
/// elsewhere meanwhile, as where other users can write.
///
/// In a folder for its owner alone, no other user can create, remove or swap anything.
package struct PinnedFolder: ~Copyable {
    /// The requirements for a folder.
    package enum Rule: Sendable {
        /// Only its owner has access, and we are the owner.
        case isPrivate
        /// No other user can create files in it, which is enough for reading.
        case isNotWritableByOthers
        /// None: for a file created under an unpredictable name.
        case any
    }

    /// The path for messages.
    package let path: String
    private let place: Descriptor

    /// The folder's descriptor for calls such as `openat`; it can't be read.
    package var number: Int32 { place.number }

    /// Opens the folder at a path.
    ///
    /// - Parameters:
    ///   - rule: The requirements. Only a private folder may not have a path that ends with a link.
    ///   - makesMissing: Whether to create it and missing folders above it, each for its owner
    ///     alone.
    /// - Throws: ``Status/noSuchKeychain`` if it is missing, ``Status/writePermissions`` with the
    ///   command that fixes it.
    package init(
        _ path: String, _ rule: Rule = .isPrivate, makesMissing: Bool = false
    ) throws(KeychainError) {
        let place = try PinnedFolder.open(path, makesMissing, followsLast: rule != .isPrivate)
        let status = try PrivatePlace.status(of: place.number, path)
        switch rule {
        case .isPrivate: try PrivatePlace.check(status, path, kind: S_IFDIR)
        case .isNotWritableByOthers: try PinnedFolder.checkNotWritableByOthers(status, path)
        case .any: break
        }
        self.path = path
        self.place = place
    }

    private static func checkNotWritableByOthers(
        _ status: stat, _ path: String
    ) throws(KeychainError) {
        guard [0, SystemCalls.effectiveUser].contains(status.st_uid), status.st_mode & 0o022 == 0
        else {
            throw KeychainError(
                .writePermissions, "other users can create files in the folder '\(path)'",
                hint: "use a folder of your own")
        }
    }

    private static func open(
        _ path: String, _ makesMissing: Bool, followsLast: Bool
    ) throws(KeychainError) -> Descriptor {
        // Without links in the path, one call replaces one for each name.
        do throws(SystemCallError) {
            let flags = lanyard_O_PATH | O_DIRECTORY
            if let number = try SystemCalls.openWithoutLinks(path, flags) {
                return Descriptor(owning: number)
            }
        } catch {
            // The folder must be created, or is not valid.
        }
        return try FolderWalk(
            to: path, makesMissing: makesMissing, followsLast: followsLast
        ).finish()
    }

    /// Returns the path of a file in it, for messages.
    package func path(of name: String) -> String { "\(path)/\(name)" }

    /// Returns a path to a file in this very folder through /proc, for calls that take no
    /// descriptor.
    package func pinnedPath(of name: String) -> String { "/proc/self/fd/\(number)/\(name)" }

    /// Returns the status of a file in it, nil if it is missing.
    package func status(of name: String) throws(KeychainError) -> stat? {
        do throws(SystemCallError) {
            return try SystemCalls.lstat(name, in: number)
        } catch {
            if error.code == ENOENT {
                return nil
            }
            throw PrivatePlace.refusal(
                error, "can't access '\(path(of: name))'", path(of: name))
        }
    }

    /// Throws unless it has a regular file with this name that only its owner can access, and we
    /// are the owner.
    ///
    /// - Throws: ``Status/noSuchKeychain`` if it is missing, ``Status/writePermissions`` with the
    ///   command that fixes it.
    package func checkFile(_ name: String) throws(KeychainError) {
        guard let status = try status(of: name) else {
            throw KeychainError(.noSuchKeychain, "file '\(path(of: name))' not found")
        }
        try PrivatePlace.check(status, path(of: name), kind: S_IFREG)
    }

    /// Opens it for reading its names, or for a lock on it.
    package func openForReading() throws(SystemCallError) -> Int32 {
        try SystemCalls.open(".", O_RDONLY | O_DIRECTORY, in: number)
    }
}
