package import KeychainServices

/// Removes imported logins from their file once the keychain has them.
package struct PlainTextRemoval {
    /// The result of a removal.
    package struct Outcome: Sendable {
        /// The file's path.
        package let file: String
        /// How many entries were removed.
        package let removed: Int
        /// How many entries remain.
        package let kept: Int
        /// The places of those that the keychain lacks, at least in part, in what is left of the file.
        package let keptPlaces: [String]
        /// The numbers of the lines whose end was removed, ascending.
        let removedLines: [Int]
        /// Whether single entries can be removed: the rest of the file stays then.
        package let hasSingleEntries: Bool
        /// Whether the file itself was removed.
        package let isFileRemoved: Bool
        /// Whether the old bytes on the disk were overwritten.
        package let isOverwritten: Bool
    }

    private let file: PlainTextFile
    private let format: any ImportFormat
    private let isGits: Bool

    /// Prepares the removal of logins from a file.
    ///
    /// - Parameters:
    ///   - format: The file's format.
    ///   - isGits: Whether git may be writing the file, and respects a lock.
    package init(_ file: PlainTextFile, _ format: any ImportFormat, isGits: Bool) {
        self.file = file
        self.format = format
        self.isGits = isGits
    }

    /// Reads every login of the file back from the keychain and removes them if all are there.
    ///
    /// If a format does not support removing single entries, it removes all or none.
    ///
    /// - Parameters:
    ///   - fates: The outcomes of the file's entries.
    ///   - importer: The importer that was used.
    ///   - keychain: The keychain, opened again.
    ///   - willReplace: Called before the change with the rest of the file, nil if the file is removed.
    ///   - progress: Called for each entry.
    /// - Throws: ``Status/decode`` if a login can't be read back, ``Status/databaseLocked`` if the file has
    ///   changed, and what the closure throws; then nothing is removed.
    package func run(
        _ fates: [ItemImporter.Fate], of importer: ItemImporter, readingBackFrom keychain: Keychain,
        willReplace: (borrowing Secret?) throws(KeychainError) -> Void = { _ in },
        progress: () -> Void
    ) throws(KeychainError) -> Outcome {
        var entries: [[Range<Int>]] = []
        var left: Set<Range<Int>> = []
        var kept = 0
        var keptPlaces: [ImportRecord.Position] = []
        var losesSecrets = false
        var index = 0
        var removesWhole = false
        try format.read(file.bytes) { record throws(KeychainError) in
            guard fates.indices.contains(index) else {
                throw notReadBack(record.place)
            }
            let fate = fates[index]
            index += 1
            progress()
            if case .without(let loss) = record.content {
                if !loss.isArrangement {
                    losesSecrets = true
                    keptPlaces.append(record.position)
                    left.formUnion(record.ranges)
                }
                return
            }
            guard fate != .isLeft, fate != .pending else {
                kept += 1
                keptPlaces.append(record.position)
                left.formUnion(record.ranges)
                return
            }
            entries.append(record.ranges)
            removesWhole = removesWhole || record.ranges.isEmpty
            if fate == .isInKeychain {
                try check(record, importer, keychain)
            }
        }
        let removed = PlainTextRemoval.apart(entries, from: left)
        kept += entries.count - removed.count
        guard !removed.isEmpty, kept == 0 && !losesSecrets || !removesWhole else {
            return outcome(
                removed: 0, kept: removed.count + kept, keptPlaces,
                hasSingleEntries: !removesWhole && !left.isEmpty)
        }
        guard let held = file.held else {
            throw KeychainError(.param, "nothing can be removed from \(file.path)")
        }
        let rest: Secret? = removesWhole ? nil : self.rest(without: removed)
        let isFileRemoved = rest == nil
        try willReplace(rest)
        let isOverwritten = try held.replace(
            with: consume rest, instead: file.bytes, isGits: isGits)
        return outcome(
            removed: removed.count, kept: kept, keptPlaces, isOverwritten,
            isFileRemoved: isFileRemoved, removedLines: removesWhole ? [] : lines(of: removed))
    }

    /// Returns the numbers of the lines whose end is part of some entries.
    private func lines(of entries: [[Range<Int>]]) -> [Int] {
        file.bytes.withBytes { bytes in
            var lines: [Int] = []
            var line = 1
            var position = 0
            for range in PlainTextRemoval.ascending(entries) {
                while position < range.upperBound {
                    if bytes[position] == UInt8(ascii: "\n") {
                        if position >= range.lowerBound {
                            lines.append(line)
                        }
                        line += 1
                    }
                    position += 1
                }
            }
            return lines
        }
    }

    /// Returns the rest of the file, nil if it is only white space.
    private func rest(without entries: [[Range<Int>]]) -> Secret? {
        let rest = removing(PlainTextRemoval.ascending(entries), from: file.bytes)
        return rest.isBlank ? nil : consume rest
    }

    /// Returns the entries that share no range with one that is left: a login of several entries stays whole.
    private static func apart(
        _ entries: [[Range<Int>]], from left: Set<Range<Int>>
    ) -> [[Range<Int>]] {
        entries.filter { left.isDisjoint(with: $0) }
    }

    /// Returns the entries' ranges in the order of the file: entries may come in another one, and share bytes.
    private static func ascending(_ entries: [[Range<Int>]]) -> [Range<Int>] {
        var ascending: [Range<Int>] = []
        for range in entries.joined().sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = ascending.last, range.lowerBound < last.upperBound {
                ascending[ascending.count - 1] =
                    last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                ascending.append(range)
            }
        }
        return ascending
    }

    /// Removes an older copy of another file. The rest without the keychain's logins first goes to a
    /// closure, which stores it elsewhere.
    ///
    /// - Returns: Whether it contained such a login; else it remains unchanged.
    /// - Throws: What the closure and the keychain throw.
    package func replaceCopy(
        of importer: ItemImporter, readingBackFrom keychain: Keychain,
        keeping keep: (borrowing Secret) throws(KeychainError) -> Void
    ) throws(KeychainError) -> Bool {
        var entries: [[Range<Int>]] = []
        var left: Set<Range<Int>> = []
        try format.read(file.bytes) { record throws(KeychainError) in
            if !record.ranges.isEmpty, try isKept(record, importer, keychain) {
                entries.append(record.ranges)
            } else {
                left.formUnion(record.ranges)
            }
        }
        let removed = PlainTextRemoval.apart(entries, from: left)
        guard let held = file.held, !removed.isEmpty else {
            return false
        }
        try keep(removing(PlainTextRemoval.ascending(removed), from: file.bytes))
        _ = try held.replace(with: nil, instead: file.bytes, isGits: isGits)
        return true
    }

    private func check(
        _ record: ImportRecord, _ importer: ItemImporter, _ keychain: Keychain
    ) throws(KeychainError) {
        let place = record.place
        guard try isKept(record, importer, keychain) else {
            throw notReadBack(place)
        }
    }

    /// Whether the keychain has the login of an entry.
    private func isKept(
        _ record: ImportRecord, _ importer: ItemImporter, _ keychain: Keychain
    ) throws(KeychainError) -> Bool {
        guard case .item(let entry) = record.content else {
            return false
        }
        let item = importer.item(for: entry)
        return try keychain.compared(item.itemClass, item.attributes, item.secret, by: .login)?
            .isSame == true
    }

    private func notReadBack(_ place: String) -> KeychainError {
        KeychainError(
            .decode,
            "\(place) of '\(file.path)' can't be read back from the keychain: nothing was removed",
            hint: "lanyard verify")
    }

    private func outcome(
        removed: Int, kept: Int, _ keptPlaces: [ImportRecord.Position],
        _ isOverwritten: Bool = true,
        isFileRemoved: Bool = false, hasSingleEntries: Bool = true, removedLines: [Int] = []
    ) -> Outcome {
        Outcome(
            file: file.path, removed: removed, kept: kept,
            keptPlaces: keptPlaces.map { $0.after(removedLines).description },
            removedLines: removedLines, hasSingleEntries: hasSingleEntries,
            isFileRemoved: isFileRemoved,
            isOverwritten: isOverwritten)
    }
}

extension Secret {
    /// Whether it contains only white space.
    fileprivate var isBlank: Bool {
        withBytes { bytes in
            bytes.indices.allSatisfy {
                [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n")]
                    .contains(bytes[$0])
            }
        }
    }
}
