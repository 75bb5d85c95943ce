internal import CLinux
package import Glibc
package import Secrets

/// A folder that was checked, held open: what is done in it is done there, also where its path leads
/// elsewhere meanwhile, as in a place that others can write.
///
/// In one that is its owner's alone nobody else makes, removes or swaps anything.
package struct PinnedFolder: ~Copyable {
    /// Which folders will do.
    package enum Rule: Sendable {
        /// One that is its owner's alone, and we are the owner.
        case isPrivate
        /// One in which nobody else can make files, which is enough for what is only looked at.
        case isNotWritableByOthers
        /// Any: for a file that is made there under a name that nobody knew before.
        case any
    }

    /// The path that it was found at, for messages.
    package let path: String
    private let place: Descriptor

    /// The descriptor that stands for the folder in calls such as `openat`; nothing can be read from
    /// it.
    package var number: Int32 { place.number }

    /// Opens the folder at a path.
    ///
    /// - Parameters:
    ///   - rule: What is checked. A path that ends with a link is refused for a private folder alone.
    ///   - makesMissing: Makes it where there is none, and the ones above it, each for its owner
    ///     alone.
    /// - Throws: ``Status/noSuchKeychain`` if there is none, ``Status/writePermissions`` with the
    ///   command that mends it.
    package init(
        _ path: String, _ rule: Rule = .isPrivate, makesMissing: Bool = false
    ) throws(KeychainError) {
        let place = try PinnedFolder.open(path, makesMissing, followsLast: rule != .isPrivate)
        let status: stat
        do throws(SystemCallError) {
            status = try SystemCalls.fstat(place.number)
        } catch {
            throw error.keychainError("can't look at '\(path)'")
        }
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
                .writePermissions, "other users can make files in the folder '\(path)'",
                hint: "use a folder of your own")
        }
    }

    private static func open(
        _ path: String, _ makesMissing: Bool, followsLast: Bool
    ) throws(KeychainError) -> Descriptor {
        // One call instead of one for each name, where no link is in the way.
        do throws(SystemCallError) {
            let flags = lanyard_O_PATH | O_DIRECTORY
            if let number = try SystemCalls.openWithoutLinks(path, flags) {
                return Descriptor(owning: number)
            }
        } catch {
            // To be made, or not what it should be.
        }
        return try FolderWalk(
            to: path, makesMissing: makesMissing, followsLast: followsLast
        ).finish()
    }

    /// The path of a file in it, for messages.
    package func path(of name: String) -> String { "\(path)/\(name)" }

    /// A path that leads to a file in this very folder, for what takes no descriptor: by way of /proc.
    package func pinnedPath(of name: String) -> String { "/proc/self/fd/\(number)/\(name)" }

    /// What stands in it under a name, nil if nothing does.
    package func status(of name: String) throws(KeychainError) -> stat? {
        do throws(SystemCallError) {
            return try SystemCalls.lstat(name, in: number)
        } catch {
            if error.code == ENOENT {
                return nil
            }
            throw error.keychainError("can't look at '\(path(of: name))'")
        }
    }

    /// Throws unless a regular file is there that only its owner can use, and we are the owner.
    ///
    /// - Throws: ``Status/noSuchKeychain`` if there is none, ``Status/writePermissions`` with the
    ///   command that mends it.
    package func checkFile(_ name: String) throws(KeychainError) {
        guard let status = try status(of: name) else {
            throw KeychainError(.noSuchKeychain, "there is no file '\(path(of: name))'")
        }
        try PrivatePlace.check(status, path(of: name), kind: S_IFREG)
    }

    /// Opens it for reading the names in it, or for a lock on it.
    package func openForReading() throws(SystemCallError) -> Int32 {
        try SystemCalls.open(".", O_RDONLY | O_DIRECTORY, in: number)
    }
}
