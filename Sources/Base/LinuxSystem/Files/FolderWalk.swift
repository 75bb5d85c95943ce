internal import CLinux
internal import Glibc
internal import LanyardSecrets

/// Resolves the path of a folder, one name after another.
///
/// It follows a symbolic link only if the user or root owns it, because another user could redirect
/// theirs. Each step starts from the folder that the previous one opened: swapping a folder already
/// passed has no effect.
struct FolderWalk: ~Copyable {
    private struct Name {
        let text: String
        /// Whether it comes from a link's text, and not from the path.
        let isOfLink: Bool
    }

    /// The kernel's own limit.
    private static let linkLimit = 40

    private let path: String
    private let makesMissing: Bool
    private let followsLast: Bool
    private var folder: Descriptor
    /// The names to resolve, the next one last.
    private var names: [Name]
    private var linkCount = 0

    /// - Parameters:
    ///   - makesMissing: Whether to create missing folders of the path, for their owner alone.
    ///   - followsLast: Whether to follow a link at the end, too.
    init(
        to path: String, makesMissing: Bool = false, followsLast: Bool = false
    ) throws(KeychainError) {
        // Before the fields: some compilers release the fields twice if an initializer throws after the first of them.
        let start: Descriptor
        do throws(SystemCallError) {
            start = try FolderWalk.start(of: path)
        } catch {
            throw error.keychainError("can't access '\(path)'")
        }
        self.path = path
        self.makesMissing = makesMissing
        self.followsLast = followsLast
        folder = start
        names = FolderWalk.names(in: path, isOfLink: false)
    }

    /// Resolves the rest of the path.
    ///
    /// - Returns: The folder or file at its end, opened with O_PATH.
    /// - Throws: ``Status/noSuchKeychain`` if it does not exist, ``Status/writePermissions`` for
    ///   another user's link, or one at the end that is not to be followed.
    consuming func finish() throws(KeychainError) -> Descriptor {
        while let name = names.popLast() {
            let next = try enter(name)
            let status = try PrivatePlace.status(of: next.number, path)
            if status.st_mode & S_IFMT == S_IFLNK {
                try follow(next, status)
            } else {
                folder = next
            }
        }
        return folder
    }

    private borrowing func enter(_ name: Name) throws(KeychainError) -> Descriptor {
        let failed = makesMissing ? "can't make the folder '\(path)'" : "can't access '\(path)'"
        do throws(SystemCallError) {
            return try FolderWalk.open(name.text, in: folder.number)
        } catch {
            if !makesMissing, error.code == ENOENT || error.code == ENOTDIR {
                throw KeychainError(.noSuchKeychain, "folder '\(path)' not found")
            }
            guard makesMissing, error.code == ENOENT, !name.isOfLink else {
                throw failure(error, failed)
            }
        }
        // The user could use nothing of what root makes there. A folder that LANYARD_HOME names is meant.
        if let user = SystemCalls.sudoUser, !SystemCalls.isInLanyardHome(path),
            try PrivatePlace.status(of: folder.number, path).st_uid == user
        {
            throw PrivatePlace.inFolderOfSudoUser(failed)
        }
        do throws(SystemCallError) {
            try make(name.text)
            return try FolderWalk.open(name.text, in: folder.number)
        } catch {
            throw failure(error, failed)
        }
    }

    /// Returns a call's error, with advice about a folder of Lanyard's that something is in the way of.
    private borrowing func failure(_ error: SystemCallError, _ action: String) -> KeychainError {
        let plain = error.keychainError(action)
        guard [EACCES, ENOENT, ENOTDIR].contains(error.code) else {
            return plain
        }
        return KeychainError(plain.status, plain.reason, hint: PrivatePlace.obstacleHint(path))
    }

    private borrowing func make(_ name: String) throws(SystemCallError) {
        do throws(SystemCallError) {
            try SystemCalls.mkdir(name, mode: 0o700, in: folder.number)
        } catch  where error.code == EEXIST {
            // Another process may have been faster.
        }
        try PrivatePlace.syncFolder(in: folder.number)
    }

    /// Replaces a link in the path with its text.
    private mutating func follow(
        _ link: borrowing Descriptor, _ status: stat
    ) throws(KeychainError) {
        guard followsLast || !names.isEmpty else {
            throw PrivatePlace.linkRefused(path)
        }
        guard [0, SystemCalls.effectiveUser].contains(status.st_uid) else {
            throw KeychainError(
                .writePermissions, "another user's symbolic link leads to '\(path)'",
                hint: "use a path that other users can't change")
        }
        linkCount += 1
        do throws(SystemCallError) {
            guard linkCount <= FolderWalk.linkLimit,
                let text = try SystemCalls.readLink("", in: link.number)
            else {
                throw SystemCallError(call: "readlink", code: ELOOP)
            }
            if text.utf8.first == UInt8(ascii: "/") {
                folder = try FolderWalk.start(of: text)
            }
            names += FolderWalk.names(in: text, isOfLink: true)
        } catch {
            throw error.keychainError("can't access '\(path)'")
        }
    }

    private static func names(in path: String, isOfLink: Bool) -> [Name] {
        path.utf8.split(separator: UInt8(ascii: "/")).reversed().map { part in
            Name(text: String(Substring(part)), isOfLink: isOfLink)
        }.filter { $0.text != "." }
    }

    private static func start(of path: String) throws(SystemCallError) -> Descriptor {
        try open(path.utf8.first == UInt8(ascii: "/") ? "/" : ".", in: SystemCalls.currentFolder)
    }

    private static func open(
        _ name: String, in folder: Int32
    ) throws(SystemCallError) -> Descriptor {
        Descriptor(
            owning: try SystemCalls.open(name, lanyard_O_PATH | O_NOFOLLOW, in: folder))
    }
}
