internal import LanyardCryptography
package import KeychainServices
internal import LinuxSystem

/// The files whose logins a setup has moved to the keychain. Each original is an item of the keychain until
/// the setup is undone.
package struct MovedFiles {
    private let keychain: Keychain
    private let home: String?
    private let homeOfRecords: String?
    private let records: RecordFolder

    /// The access group of the items.
    package static let accessGroup = ByteString.setupGroup

    /// Finds them in a keychain.
    package init(in keychain: Keychain, _ environment: SetupEnvironment) {
        self.keychain = keychain
        home = try? environment.home()
        homeOfRecords = environment.homeOfRecords
        records = RecordFolder(environment)
    }

    /// Returns the path for users, who may look the item up by it.
    private func name(of path: String) -> String {
        guard let home, path.hasPrefix("\(home)/") else {
            return path
        }
        return "~\(path.dropFirst(home.count))"
    }

    /// Stores a file before its logins are removed.
    ///
    /// - Parameters:
    ///   - original: The bytes that an undo restores.
    ///   - rest: The bytes afterwards, nil if it is removed.
    /// - Throws: ``Status/dataTooLarge`` for a file beyond the limit of a secret, what the keychain throws.
    package func keep(
        _ path: String, _ kind: MovedFile.Kind, original: borrowing Secret,
        rest: borrowing Secret?
    ) throws(KeychainError) {
        guard original.count <= Keychain.secretLimit else {
            throw KeychainError(
                .dataTooLarge, "'\(path)' is longer than 2 MiB: an undo could not restore it",
                hint: kind.removingCommand(path))
        }
        let digests = MovedFile.Digests(
            original: MovedFiles.digest(original), rest: MovedFiles.digest(rest))
        var attributes = ItemAttributes()
        attributes.accessGroup = MovedFiles.accessGroup
        attributes.service = ByteString(name(of: path))
        attributes.label = ByteString("\(name(of: path)) as it was before lanyard setup")
        attributes.comment = ByteString(path)
        attributes.itemDescription = ByteString(kind.text)
        let id = Hexadecimal.encode(try RandomBytes.make(16))
        attributes.generic = ByteString(digests.text(id: id))
        attributes.isInvisible = true
        let lock = try records.lock()
        defer { extendLifetime(lock) }
        try records.keep(movedFiles: records.movedFiles().union([id]))
        if try !add(attributes, original) {
            try keepAgain(attributes, digests, original)
        }
    }

    /// Stores a file that was moved earlier by a setup that is still in force.
    private func keepAgain(
        _ attributes: ItemAttributes, _ digests: MovedFile.Digests, _ original: borrowing Secret
    ) throws(KeychainError) {
        var attributes = attributes
        attributes.account = ByteString(digests.original)
        if try !add(attributes, original) {
            try keychain.update(
                Query(identityOf: attributes, .genericPassword), attributes,
                secret: original.copy())
        }
    }

    /// - Returns: Whether it is new.
    private func add(
        _ attributes: ItemAttributes, _ original: borrowing Secret
    ) throws(KeychainError) -> Bool {
        try KeychainError.ignoring(.duplicateItem) { () throws(KeychainError) in
            try keychain.add(.genericPassword, attributes, secret: original)
        }
    }

    /// Returns the files that setups on this machine moved, the latest first.
    ///
    /// - Throws: What the keychain throws.
    package func all() throws(KeychainError) -> [MovedFile] {
        var attributes = ItemAttributes()
        attributes.accessGroup = MovedFiles.accessGroup
        var query = Query(.genericPassword, attributes, returns: [.attributes, .reference])
        query.match.limit = .all
        let ids = try records.movedFiles()
        guard !ids.isEmpty else {
            return []
        }
        var files: [MovedFile] = []
        try keychain.forEachMatch(query) { item in
            if let reference = item.reference, let attributes = item.attributes,
                let file = MovedFile(reference, attributes, home: homeOfRecords),
                ids.contains(file.id)
            {
                files.append(file)
            }
            return .next
        }
        return files
    }

    /// Returns the original bytes of a file.
    ///
    /// - Throws: ``Status/itemNotFound``, what the keychain throws.
    package func original(_ file: MovedFile) throws(KeychainError) -> Secret {
        guard let original = try keychain.firstSecret(of: Query(file.reference, returns: .data)),
            MovedFiles.digest(original) == file.digests.original
        else {
            throw KeychainError(.itemNotFound, "the keychain no longer has '\(file.path)'")
        }
        return original
    }

    /// Deletes a file from the keychain.
    ///
    /// - Throws: What the keychain throws.
    package func forget(_ file: MovedFile) throws(KeychainError) {
        try KeychainError.ignoring(.itemNotFound) { () throws(KeychainError) in
            try keychain.delete(Query(file.reference))
        }
        let lock = try records.lock()
        defer { extendLifetime(lock) }
        // A copy of the keychain may have it, too.
        guard try !all().contains(where: { $0.id == file.id }) else {
            return
        }
        try records.keep(movedFiles: records.movedFiles().subtracting([file.id]))
    }

    private static func digest(_ bytes: borrowing Secret?) -> String? {
        switch bytes {
        case .some(let bytes): digest(bytes)
        case .none: nil
        }
    }

    private static func digest(_ bytes: borrowing Secret) -> String {
        bytes.withBytes { Hexadecimal.encode(KeyedDigest.plain($0)) }
    }
}

extension MovedFile.Kind {
    /// Returns the command that removes the logins from a file without an undo, nil if there is none.
    fileprivate func removingCommand(_ path: String) -> String? {
        guard case .leftover(let kind) = self else {
            return nil
        }
        return PlainTextLeftover(kind: kind, path: path, logins: 1).removingCommand
    }
}
