internal import Configuration
internal import KeychainServices
internal import LinuxSystem

/// Checks the file systems of lanyard's folders for free space and working locks.
struct FileSystemCheck: Check {
    static let name = "file systems"

    /// A change of a keychain writes a journal first.
    private static let roomForChange: UInt64 = 1 << 20

    func findings(_ context: DiagnosisContext) -> [Finding] {
        guard let places = context.places else {
            return []
        }
        var findings: [Finding] = []
        for folder in [places.data, places.state] {
            guard let existing = existing(folder), let system = FileSystem(existing) else {
                continue
            }
            if system.isReadOnly {
                findings.append(
                    Finding(
                        .placeReadOnly, "'\(path: folder)' is on a read-only file system",
                        advice: "mount it writable"))
            } else if let mode = readOnlyMode(existing) {
                findings.append(mode)
            } else if system.freeBytes < FileSystemCheck.roomForChange {
                findings.append(
                    Finding(
                        .diskFull, "no space left in '\(path: folder)'",
                        advice: "free some space: df \(quoted: existing)"))
            }
            if system.isRemote {
                findings.append(
                    Finding(
                        .networkFileSystem, "'\(path: folder)' is on a network file system",
                        advice: "make sure it is not mounted with nolock"))
            }
        }
        let keychain = "\(places.data)/login.keychain"
        if FileSystem.refusesLocks(keychain) {
            findings.append(
                Finding(
                    .locksRefused, "the file system refuses locks on '\(path: keychain)'",
                    advice: "mount it with locks, or choose another folder with XDG_DATA_HOME"))
        }
        return findings
    }

    /// Checks for a folder of this user's own without write permission.
    private func readOnlyMode(_ folder: String) -> Finding? {
        guard let status = try? SystemCalls.status(at: folder), status.kind == .folder,
            status.owner == SystemCalls.effectiveUser, status.permissions & 0o200 == 0
        else {
            return nil
        }
        return Finding(
            .placeReadOnly, "the folder '\(path: folder)' is not writable",
            command: "chmod u+w \(quoted: folder)")
    }

    /// Returns the folder, or its nearest existing parent.
    private func existing(_ folder: String) -> String? {
        var folder: String? = folder
        while let path = folder {
            if (try? PrivatePlace.exists(path)) == true {
                return path
            }
            folder = PrivatePlace.parent(of: path)
        }
        return "/"
    }
}
