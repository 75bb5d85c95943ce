internal import LanyardConfiguration
internal import KeychainServices
internal import LinuxSystem
internal import ToolSetup

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
            let existing = PrivatePlace.nearestExisting(folder)
            guard let system = FileSystem(existing) else {
                continue
            }
            // With a machine key in the folder, only changes of the keychains' versions go there.
            let isDispensable =
                folder == places.state && findings.isEmpty
                && (try? SystemCalls.status(at: "\(folder)/machine-key")) != nil
            let code = isDispensable ? FindingCode.stateReadOnly : .placeReadOnly
            if system.isReadOnly {
                findings.append(
                    Finding(
                        code, "'\(path: folder)' is on a read-only file system",
                        advice: "mount it writable"))
            } else if let mode = readOnlyMode(existing, code) {
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
            // The other variables then have no effect.
            let variable =
                context.environment.value("LANYARD_HOME") == nil ? "XDG_DATA_HOME" : "LANYARD_HOME"
            findings.append(
                Finding(
                    .locksRefused, "the file system refuses locks on '\(path: keychain)'",
                    advice:
                        "mount it with locks, or choose another folder with \(plain: variable)"))
        }
        return findings
    }

    /// Checks for a folder of this user's own that can be read and not written.
    private func readOnlyMode(_ folder: String, _ code: FindingCode) -> Finding? {
        guard let status = try? SystemCalls.status(at: folder), status.kind == .folder,
            status.owner == SystemCalls.effectiveUser, status.permissions & 0o700 == 0o500
        else {
            return nil
        }
        return Finding(
            code, "the folder '\(path: folder)' is not writable",
            command: "chmod u+w \(quoted: folder)")
    }
}
