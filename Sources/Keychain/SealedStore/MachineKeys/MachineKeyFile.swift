internal import KeychainServices
internal import LinuxSystem

/// The file of a machine key: in the state folder, or where it was moved to.
struct MachineKeyFile {
    /// Its folder.
    let folder: String
    /// The plain or the sealed key.
    let content: MachineKeyContent

    /// Reads the file, wherever it is.
    ///
    /// - Returns: nil if it is missing.
    /// - Throws: ``Status/noSuchKeychain`` if it was moved and is missing there,
    ///   ``Status/writePermissions`` if other users can access it, ``Status/decode`` if it is
    ///   damaged, ``Status/wrongVersion`` if a newer version of Lanyard wrote it.
    static func read(stateFolder: String) throws(KeychainError) -> MachineKeyFile? {
        try read(stateFolder: stateFolder) { () throws(KeychainError) in
            try content(in: stateFolder)
        }
    }

    /// - Parameter pointer: Reads the file in the state folder. Called again if the key is missing where
    ///   it was moved to: it may have moved on meanwhile.
    static func read(
        stateFolder: String, pointer: () throws(KeychainError) -> MachineKeyContent?
    ) throws(KeychainError) -> MachineKeyFile? {
        var isRepeated = false
        while true {
            guard let content = try pointer() else {
                return nil
            }
            guard case .moved(let folder) = content else {
                return MachineKeyFile(folder: stateFolder, content: content)
            }
            guard let content = try MachineKeyFile.content(in: folder) else {
                guard isRepeated else {
                    isRepeated = true
                    continue
                }
                throw KeychainError(
                    .noSuchKeychain,
                    "the machine key '\(MachineKey.path(in: folder))' is missing; it was moved there",
                    hint: "restore it, or \(MachineKey.renewal)")
            }
            if case .moved = content {
                throw KeychainError(
                    .noSuchKeychain,
                    "the machine key '\(MachineKey.path(in: folder))' is only the path of a folder",
                    hint: "restore it, or \(MachineKey.renewal)")
            }
            return MachineKeyFile(folder: folder, content: content)
        }
    }

    /// Returns the folder that the file was moved to, nil if it is in the state folder or missing.
    static func destination(stateFolder: String) throws(KeychainError) -> String? {
        guard case .moved(let folder) = try content(in: stateFolder) else {
            return nil
        }
        return folder
    }

    private static func content(in folder: String) throws(KeychainError) -> MachineKeyContent? {
        let path = MachineKey.path(in: folder)
        guard let bytes = try PrivatePlace.readIfThere(path, limit: MachineKeyContent.limit) else {
            return nil
        }
        guard MachineKeyContent.isKnown(bytes) else {
            throw damaged(path, ": it is not 32 bytes long")
        }
        do throws(KeychainError) {
            return try MachineKeyContent(decoding: bytes)
        } catch {
            throw error.status == .wrongVersion
                ? KeychainError(
                    .wrongVersion, "a newer version of lanyard wrote the machine key '\(path)'",
                    hint: "install a newer lanyard")
                : damaged(path)
        }
    }

    /// Whether the file is empty: a process reserved its name, and may have been killed then, as ``TemporaryFile`` says.
    static func isEmpty(in folder: String) throws(KeychainError) -> Bool {
        try PrivatePlace.readIfThere(MachineKey.path(in: folder), limit: MachineKeyContent.limit)?
            .count == 0
    }

    private static func damaged(_ path: String, _ how: String = "") -> KeychainError {
        KeychainError(
            .decode, "the machine key '\(path)' is damaged\(how)",
            hint: "restore it from a backup of its folder")
    }

    /// Creates the file; an existing one stays.
    ///
    /// - Returns: Whether it was created.
    @discardableResult
    static func create(
        _ content: MachineKeyContent, in folder: String
    ) throws(KeychainError) -> Bool {
        try content.encoded.withBytes { bytes throws(KeychainError) in
            try PrivatePlace.createFile(MachineKey.path(in: folder), bytes)
        }
    }

    /// Replaces the file in one step: a process that is killed leaves the old or the new one.
    static func replace(
        with content: MachineKeyContent, in folder: String
    ) throws(KeychainError) {
        try content.encoded.withBytes { bytes throws(KeychainError) in
            try PrivatePlace.replaceFile(MachineKey.path(in: folder), bytes)
        }
    }
}
