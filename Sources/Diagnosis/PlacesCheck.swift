internal import HelperKit
internal import Keychain
internal import LinuxSystem
internal import ToolSetup

/// The folders and files of lanyard: whose they are, and who can get at them.
struct PlacesCheck: Check {
    static let name = "folders and files"

    func findings(_ context: DiagnosisContext) async -> [Finding] {
        guard let places = context.places else {
            return [PlacesCheck.missing(context)]
        }
        var findings: [Finding] = []
        for folder in [places.configuration, places.data, places.state] {
            guard let status = try? SystemCalls.status(at: folder) else {
                continue
            }
            let found = finding(of: folder, status, isFolder: true)
            findings += found
            // What a link leads to, or what is another's, is not ours to look into.
            if status.kind == .folder {
                findings += files(in: folder, places)
            }
        }
        return findings
    }

    private static func missing(_ context: DiagnosisContext) -> Finding {
        let reason = context.placesFailure?.reason ?? "there is no home folder"
        let isHomeMissing = context.environment.value("LANYARD_HOME") == nil
        return isHomeMissing
            ? Finding(
                .homeMissing, "\(said: reason)",
                command: "export HOME=\"$(getent passwd \"$(id -u)\" | cut -d: -f6)\"")
            : Finding(
                .variablePointsNowhere, "\(said: reason)", command: "unset LANYARD_HOME")
    }

    private func files(in folder: String, _ places: Places) -> [Finding] {
        FolderListing.names(folder).sorted().flatMap { name -> [Finding] in
            let path = "\(folder)/\(name)"
            guard PlacesCheck.isOurs(name), let status = try? SystemCalls.status(at: path) else {
                return []
            }
            // The configuration may be a link, and others may read it.
            guard path == Configuration.file(places) else {
                return finding(of: path, status, isFolder: false)
            }
            return status.kind == .file && status.permissions & 0o022 != 0
                ? [
                    Finding(
                        .fileOpenToOthers, "others can write the configuration '\(path: path)'",
                        command: "chmod go-w \(quoted: path)")
                ] : []
        }
    }

    private static func isOurs(_ name: String) -> Bool {
        ["config", "machine-key"].contains(name)
            || [".keychain", ".keychain-journal", ".generation"].contains(where: name.hasSuffix)
    }

    private func finding(of path: String, _ status: FileStatus, isFolder: Bool) -> [Finding] {
        let noun = isFolder ? "folder" : "file"
        guard status.kind != .link else {
            return [
                Finding(
                    .symbolicLink, "'\(path: path)' is a symbolic link",
                    advice: "move what it points to in its place")
            ]
        }
        guard status.owner == SystemCalls.effectiveUser else {
            return [
                Finding(
                    .wrongOwner, "the \(plain: noun) '\(path: path)' belongs to another user",
                    command: SystemCalls.effectiveUser == 0
                        ? "chown 0 \(quoted: path)"
                        : "sudo chown \"$(id -u)\" \(quoted: path)")
            ]
        }
        guard status.permissions & 0o077 == 0 else {
            return [
                Finding(
                    isFolder ? .folderOpenToOthers : .fileOpenToOthers,
                    "the \(plain: noun) '\(path: path)' is open to other users",
                    command: "chmod \(plain: isFolder ? "700" : "600") \(quoted: path)")
            ]
        }
        return []
    }
}
