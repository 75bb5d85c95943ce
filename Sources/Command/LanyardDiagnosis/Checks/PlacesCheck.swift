internal import LanyardConfiguration
internal import KeychainServices
internal import LinuxSystem
internal import ToolSetup

/// Checks the owners and permissions of lanyard's folders and files.
struct PlacesCheck: Check {
    static let name = "folders and files"

    func findings(_ context: DiagnosisContext) -> [Finding] {
        guard let places = context.places else {
            return [PlacesCheck.missing(context)]
        }
        return existing(places) + PlacesCheck.unusable(places)
    }

    private func existing(_ places: Places) -> [Finding] {
        var findings: [Finding] = []
        for folder in [places.configuration, places.data, places.state] {
            guard let status = try? SystemCalls.status(at: folder) else {
                continue
            }
            let isConfiguration = folder == places.configuration
            findings += [
                finding(of: folder, status, isFolder: true, isConfiguration: isConfiguration)
            ].compactMap(\.self)
            // Link targets and other users' folders are not inspected.
            let isOwn =
                status.owner == SystemCalls.effectiveUser || isConfiguration && status.owner == 0
            if status.kind == .folder && isOwn || isConfiguration && findings.isEmpty {
                findings += files(in: folder, places)
            }
        }
        return findings
    }

    private static func missing(_ context: DiagnosisContext) -> Finding {
        let what: FindingText =
            "\(said: context.placesFailure?.reason ?? "the home folder is missing")"
        guard context.environment.value("LANYARD_HOME") == nil else {
            return Finding(.variablePointsNowhere, what, command: "unset LANYARD_HOME")
        }
        // Without an account the command would set HOME to nothing.
        return UserAccount.ownName == nil
            ? Finding(
                .homeMissing, what,
                advice: "set HOME to your home folder, or LANYARD_HOME to a folder of your own")
            : Finding(
                .homeMissing, what,
                command: "export HOME=\"$(getent passwd \"$(id -u)\" | cut -d: -f6)\"")
    }

    /// Checks which folders can't be reached, or are missing and can't be made. Each obstacle is reported once.
    static func unusable(_ places: Places) -> [Finding] {
        var obstacles: Set<String> = []
        return [places.data, places.state, places.configuration].compactMap { folder -> Finding? in
            guard
                let reason = unreachable(folder)
                    ?? (folder == places.configuration ? nil : unmakeable(folder)),
                obstacles.insert(PrivatePlace.nearestExisting(folder)).inserted
            else {
                return nil
            }
            return Finding(
                .placeUnusable, reason.what,
                advice: "\(said: reason.hint ?? "set LANYARD_HOME to a folder of your own")")
        }
    }

    /// Returns why a folder can't be reached; nil if it can, or is only missing.
    private static func unreachable(_ folder: String) -> (what: FindingText, hint: String?)? {
        do throws(KeychainError) {
            _ = try PinnedFolder(folder, .any)
            return nil
        } catch {
            return error.status == .noSuchKeychain ? nil : ("\(said: error.reason)", error.hint)
        }
    }

    /// Returns why a missing folder can't be made; nil if it can, or if the check of file systems says why not.
    private static func unmakeable(_ folder: String) -> (what: FindingText, hint: String?)? {
        let above = PrivatePlace.nearestExisting(folder)
        guard above != folder else {
            return nil
        }
        let what: FindingText = "can't make the folder '\(path: folder)'"
        let hint = PrivatePlace.obstacleHint(folder)
        guard let status = try? SystemCalls.statusBehindLinks(at: above), status.kind == .folder
        else {
            return ("\(what): '\(path: above)' is not a folder", hint)
        }
        do throws(SystemCallError) {
            try SystemCalls.checkFolderAccess(above)
            return nil
        } catch {
            let isOwnAndReadOnly =
                status.owner == SystemCalls.effectiveUser && status.permissions & 0o200 == 0
            return isOwnAndReadOnly || error.keychainError("").status == .readOnly
                ? nil : ("\(what): \(plain: error.words)", hint)
        }
    }

    private func files(in folder: String, _ places: Places) -> [Finding] {
        FolderListing.names(folder).sorted().compactMap { name -> Finding? in
            let path = "\(folder)/\(name)"
            guard PlacesCheck.isOurs(name), let status = try? SystemCalls.status(at: path) else {
                return nil
            }
            return finding(
                of: path, status, isFolder: false,
                isConfiguration: path == Configuration.file(places))
        }
    }

    private static func isOurs(_ name: String) -> Bool {
        ["config", "machine-key"].contains(name)
            || [".keychain", ".keychain-journal", ".anchor", ".team", ".log"]
                .contains(where: name.hasSuffix)
    }

    /// - Parameter isConfiguration: Whether it may be a link, root's, and readable by others.
    private func finding(
        of path: String, _ status: FileStatus, isFolder: Bool, isConfiguration: Bool
    ) -> Finding? {
        let noun = isFolder ? "folder" : "file"
        let isOwn =
            status.owner == SystemCalls.effectiveUser || isConfiguration && status.owner == 0
        guard status.kind != .link else {
            return isConfiguration && isOwn
                ? nil
                : Finding(
                    .symbolicLink, "'\(path: path)' is a symbolic link",
                    advice: "replace it with the file it points to")
        }
        guard status.kind == (isFolder ? .folder : .file) else {
            return Finding(
                .wrongFileType, "'\(path: path)' is not a \(plain: noun)",
                advice: "move it away, and restore the \(plain: noun) from a backup")
        }
        guard isOwn else {
            return PlacesCheck.wrongOwner(path, noun)
        }
        guard status.permissions & (isConfiguration ? 0o022 : 0o077) == 0 else {
            let code: FindingCode = isFolder ? .folderOpenToOthers : .fileOpenToOthers
            let what: FindingText =
                isConfiguration
                ? "other users can write to the \(plain: noun) '\(path: path)'"
                : "the \(plain: noun) '\(path: path)' is open to other users"
            guard !PrivatePlace.isOfSystem(path) else {
                return Finding(code, what, advice: "use a \(plain: noun) of your own")
            }
            let mode = isConfiguration ? "go-w" : isFolder ? "700" : "600"
            return Finding(code, what, command: "chmod \(plain: mode) \(quoted: path)")
        }
        // Root needs no permission. A folder that is only not writable is another check's.
        let needed: UInt32 = isFolder ? 0o500 : 0o400
        guard SystemCalls.effectiveUser != 0, status.permissions & needed != needed else {
            return nil
        }
        let mode = isFolder ? "u+rwx" : "u+rw"
        return Finding(
            .placeUnusable, "you have no permission to read the \(plain: noun) '\(path: path)'",
            command: "chmod \(plain: mode) \(quoted: path)")
    }

    private static func wrongOwner(_ path: String, _ noun: String) -> Finding {
        let what: FindingText = "the \(plain: noun) '\(path: path)' belongs to another user"
        // Taking it over may take it away from its users.
        guard let command = PrivatePlace.takeOverCommand(path) else {
            return Finding(
                .wrongOwner, what, advice: "\(plain: PrivatePlace.ownershipHint(path))")
        }
        return Finding(.wrongOwner, what, command: "\(plain: command)")
    }
}
