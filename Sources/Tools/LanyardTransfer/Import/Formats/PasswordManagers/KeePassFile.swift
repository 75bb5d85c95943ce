package import KeychainServices
internal import PlainTextFormats

/// The XML export of KeePassXC, which is also that of KeePass 2: `keepassxc-cli export`.
///
/// Items are in the access group `login`. An entry becomes an internet password for each of its addresses, or, without
/// a valid one, a generic password with its title as service. An entry without a password but with notes becomes a
/// generic password with the notes as its secret. Notes of others become the comment; the path of its group, without
/// that of the database, and its tags follow as ``EntryArrangement``.
///
/// The key of its one-time passwords becomes a second item, in the access group `code`, and each field of the user's own
/// a generic password with the service `TITLE/FIELD`. Attachments, earlier passwords and passkeys are reported as
/// ``ImportLoss``. What is in the recycle bin is skipped. Single entries can't be removed from the file.
package struct KeePassFile: ImportFormat {
    package init() {}

    /// Reads a whole file. An invalid file yields no entries.
    ///
    /// - Throws: ``Status/decode``, with the number of the line, for invalid XML, another form, and values that are
    ///   encrypted as in a database; what the closure throws.
    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        guard !KeePassFile.isDatabase(text) else {
            throw KeychainError(
                .decode, "it is an encrypted database, not an XML export")
        }
        let unread = UnreadParts(besides: KeePassFile.meaningless)
        try KeePassFile.readEntries(text, unread) { _ throws(KeychainError) in }
        var number = 0
        var earlier = EarlierEntries()
        try KeePassFile.readEntries(text, unread) { entry throws(KeychainError) in
            number += 1
            let place = "entry \(number)"
            try entry.login().forEachContent(&earlier) { content throws(KeychainError) in
                try body(ImportRecord(place: place, range: nil, content: content))
            }
        }
        for loss in unread.losses {
            try body(ImportRecord(place: "the database", range: nil, content: .without(loss)))
        }
    }

    /// The elements outside of entries without a meaning to others: numbers of groups and how KeePass shows them, when
    /// they changed, and the settings of the database.
    private static let meaningless: Set<ByteString> = [
        "UUID", "IconID", "CustomIconUUID", "IsExpanded", "EnableAutoType", "EnableSearching",
        "LastTopVisibleEntry", "PreviousParentGroup", "CreationTime", "LastModificationTime",
        "LastAccessTime", "ExpiryTime", "Expires", "UsageCount", "LocationChanged", "DeletionTime",
        "Generator", "HeaderHash", "SettingsChanged", "DatabaseName", "DatabaseNameChanged",
        "DatabaseDescriptionChanged", "DefaultUserNameChanged", "MaintenanceHistoryDays", "Color",
        "MasterKeyChanged", "MasterKeyChangeRec", "MasterKeyChangeForce",
        "MasterKeyChangeForceOnce", "ProtectTitle", "ProtectUserName", "ProtectPassword",
        "ProtectURL", "ProtectNotes", "RecycleBinEnabled", "RecycleBinUUID", "RecycleBinChanged",
        "EntryTemplatesGroup", "EntryTemplatesGroupChanged", "LastSelectedGroup",
        "LastTopVisibleGroup", "HistoryMaxItems", "HistoryMaxSize",
    ]

    /// Whether a text starts as databases of KeePass 1 and 2 do.
    private static func isDatabase(_ text: Span<UInt8>) -> Bool {
        let signature: [UInt8] = [0x03, 0xD9, 0xA2, 0x9A]
        return text.count >= signature.count
            && signature.indices.allSatisfy { text[$0] == signature[$0] }
    }

    private static func readEntries(
        _ text: Span<UInt8>, _ unread: UnreadParts,
        _ body: (consuming KeePassEntry) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        var reader = XMLReader()
        var document = KeePassDocument(unread)
        while let event = try reader.next(in: text) {
            switch event {
            case .start:
                try document.start(text.extracting(reader.name).name, reader.attributes, text)
            case .text(let range, let isVerbatim):
                try document.add(text.extracting(range), isVerbatim: isVerbatim)
            case .end:
                if let entry = try document.end() {
                    try body(entry)
                }
            }
        }
        guard document.isKeePass else {
            throw KeychainError(
                .decode, "the file is not an XML export of KeePassXC or KeePass",
                hint: "keepassxc-cli export --format xml DATABASE > export.xml")
        }
    }
}

/// The groups and the entry around a place of the export.
private struct KeePassDocument: ~Copyable {
    private struct Group {
        var name: ByteString = ""
        var isRecycleBin = false
    }

    private(set) var isKeePass = false
    /// Of the groups.
    private let unread: UnreadParts
    private var path: [String] = []
    private var groups: [Group] = []
    private var recycleBin: ByteString?
    private var entry: KeePassEntry? = nil
    private var key: ByteString = ""
    private var text = SecretBuilder()
    private var value: Secret? = nil

    init(_ unread: UnreadParts) {
        self.unread = unread
    }

    mutating func start(
        _ name: String, _ attributes: [XMLReader.Attribute], _ document: Span<UInt8>
    ) throws(KeychainError) {
        isKeePass = isKeePass || path.isEmpty && name == "KeePassFile"
        path.append(name)
        text = SecretBuilder()
        switch name {
        case "Group": groups.append(Group())
        case "Entry" where !isHistory:
            // The first group is that of the database.
            entry = KeePassEntry(
                folder: groups.dropFirst().map(\.name),
                isInRecycleBin: groups.contains(where: \.isRecycleBin))
        case "Value":
            let isProtected = attributes.contains {
                document.extracting($0.name).equals("Protected")
                    && document.extracting($0.value).equalsIgnoringCase("true")
            }
            guard !isProtected else {
                throw KeychainError(
                    .decode, "the values in the file are encrypted",
                    hint: "keepassxc-cli export --format xml DATABASE > export.xml")
            }
        default: break
        }
    }

    mutating func add(_ characters: Span<UInt8>, isVerbatim: Bool) throws(KeychainError) {
        guard !isVerbatim else {
            return text.append(characters)
        }
        guard let read = characters.xmlCharacters else {
            throw KeychainError(.decode, "the file has an unknown entity")
        }
        text.append(read)
    }

    /// Ends the innermost element.
    ///
    /// - Returns: The entry that it was, if it was one.
    mutating func end() throws(KeychainError) -> KeePassEntry? {
        let name = path.removeLast()
        let parent = path.last
        let text = takeText()
        switch (parent, name) {
        case ("Meta", "RecycleBinUUID"): recycleBin = text.text ?? ""
        case ("Group", "Name"): change { $0.name = text.text ?? "" }
        case ("Group", "UUID"):
            let isBin = recycleBin == text.text ?? ""
            change { $0.isRecycleBin = isBin }
        case (_, "Group"): _ = groups.popLast()
        case ("String", "Key"): key = text.text ?? ""
        case ("String", "Value"): value = consume text
        case ("Entry", "String"):
            guard let value = value.take() else {
                break
            }
            if isHistory {
                entry?.addEarlier(key, value)
            } else {
                entry?.add(key, value)
            }
        case ("Entry", "Tags") where !isHistory: entry?.setTags(text.text ?? "")
        case ("Entry", "Binary") where !isHistory: entry?.hasAttachments = true
        case ("Times", "CreationTime") where !isHistory:
            entry?.created = text.withBytes { $0.date }
        case ("Times", "LastModificationTime") where !isHistory:
            entry?.changed = text.withBytes { $0.date }
        case (_, "Entry") where !isHistory: return entry.take()
        case ("Times", "Expires") where !isHistory && text.withBytes { $0.equals("True") }:
            entry?.unread.note(.unread("ExpiryTime"))
        // The bytes of attachments, which the entries name, and of icons.
        case ("Binaries", "Binary"), ("Binary", _), ("Icon", _): break
        case ("Item", "Key") where path.contains("CustomData"): key = text.text ?? ""
        // What KeePassXC and its browser add-on remember; plug-ins may have secrets there.
        case ("Item", "Value") where path.contains("CustomData"):
            if !isHistory, text.count > 0, !key.isOfKeePassXC {
                note("CustomData")
            }
        case ("Item", _) where path.contains("CustomData"): break
        case (_, "DefaultAutoTypeSequence"), (_, "DefaultSequence"), (_, "KeystrokeSequence"):
            if !isHistory, text.withBytes({ !$0.isOnlyPlaceholders }) {
                note(ByteString(name))
            }
        case _ where !isHistory && text.withBytes { !$0.isBlank }: note(ByteString(name))
        default: break
        }
        return nil
    }

    /// Notes an element of the entry, or of what is around it.
    private mutating func note(_ name: ByteString) {
        if let unread = entry?.unread {
            unread.note(name)
        } else {
            unread.note(name)
        }
    }

    private mutating func takeText() -> Secret {
        var taken = SecretBuilder()
        swap(&taken, &text)
        return taken.finish()
    }

    private var isHistory: Bool { path.contains("History") }

    private mutating func change(_ body: (inout Group) -> Void) {
        if let last = groups.indices.last {
            body(&groups[last])
        }
    }
}

extension ByteString {
    /// Whether KeePassXC itself writes data with this key: its settings for browsers and the Secret Service.
    fileprivate var isOfKeePassXC: Bool {
        let keys: [ByteString] = [
            "_LAST_MODIFIED", "_CREATED", "KeePassXC-Browser Settings", "BrowserHideEntry",
            "BrowserSkipAutoSubmit", "BrowserOnlyHttpAuth", "BrowserNotHttpAuth",
            "BrowserOmitWww", "FDO_SECRETS_EXPOSED_GROUP", "KPXC_DECRYPTION_TIME_PREFERENCE",
            "KPXC_RANDOM_SLUG",
        ]
        return keys.contains(self) || bytes.starts(with: "KPXC_BROWSER_".utf8)
            || bytes.starts(with: "Public Key: ".utf8)
    }
}

extension Span where Element == UInt8 {
    /// Whether a sequence of typed keys has no text of its own, only placeholders such as `{PASSWORD}` and `{DELAY 50}`,
    /// and the keys `+^%~`.
    fileprivate var isOnlyPlaceholders: Bool {
        var index = 0
        while index < count {
            switch self[index] {
            case UInt8(ascii: "{"):
                let rest = extracting(index...)
                guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
                    return false
                }
                // Commands and conversions have texts after a colon, and no field of an entry.
                let colon = rest.extracting(..<end).firstIndex(of: .colon)
                guard colon == nil || rest.starts(with: "{S:") || rest.starts(with: "{REF:") else {
                    return false
                }
                index += end + 1
            case UInt8(ascii: "+"), UInt8(ascii: "^"), UInt8(ascii: "%"), UInt8(ascii: "~"), .space,
                .lineFeed, .carriageReturn:
                index += 1
            default: return false
            }
        }
        return true
    }
}
