internal import LanyardCryptography
internal import KeychainServices
internal import SQLiteFile

extension ItemRow {
    /// The columns in the order of ``init(_:)`` and ``bind(to:)``.
    static let columns = """
        change, id, class, accessible, metadata_generation, secret_generation, identity, server, \
        service, account, access_group, attributes, secret
        """

    /// The position of the column `secret`.
    static let secretColumn: Int32 = 12

    /// The statement whose parameters ``bind(to:)`` binds.
    static let insertion =
        "INSERT INTO item (\(columns)) "
        + "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)"

    /// Creates a new item's row, without encrypted parts.
    init(_ reference: ItemReference, change: Int64) {
        self.change = change
        id = reference.id
        itemClass = reference.itemClass
        accessible = .whenUnlocked
        metadataGeneration = 0
        secretGeneration = 0
        tags = IndexTags(identity: [], server: nil, service: nil, account: [], accessGroup: [])
        attributes = []
        secret = []
        secretNonce = []
    }

    /// Reads a statement's current row without its secret, which may be large.
    ///
    /// - Throws: ``Status/decode`` for an invalid row.
    init(_ statement: borrowing Statement) throws(KeychainError) {
        guard let change = statement.number(0),
            let id = ItemID(statement.blob(1)),
            let itemClass = statement.number(2).flatMap(UInt32.init(exactly:)),
            let number = statement.number(3).flatMap(UInt8.init(exactly:)),
            let accessible = Accessibility(rawValue: number),
            let metadataGeneration = statement.number(4).flatMap(UInt32.init(exactly:)),
            let secretGeneration = statement.number(5).flatMap(UInt32.init(exactly:))
        else {
            throw KeychainError(.decode, hint: "restore the keychain file from a backup")
        }
        self.change = change
        self.id = id
        self.itemClass = ItemClass(rawValue: FourCharacterCode(rawValue: itemClass))
        self.accessible = accessible
        self.metadataGeneration = metadataGeneration
        self.secretGeneration = secretGeneration
        tags = IndexTags(
            identity: statement.blob(6), server: statement.optionalBlob(7),
            service: statement.optionalBlob(8), account: statement.blob(9),
            accessGroup: statement.blob(10))
        attributes = statement.blob(11)
        secret = []
        secretNonce = statement.blob(ItemRow.secretColumn, first: SealedBox.nonceSize)
    }

    /// Reads a statement's current row with its secret.
    init(whole statement: borrowing Statement) throws(KeychainError) {
        try self.init(statement)
        secret = statement.blob(ItemRow.secretColumn)
    }

    func bind(to statement: borrowing Statement) throws(KeychainError) {
        try statement.bind(change, at: 1)
        try statement.bind(id.bytes, at: 2)
        try statement.bind(Int64(itemClass.rawValue.rawValue), at: 3)
        try statement.bind(Int64(accessible.rawValue), at: 4)
        try statement.bind(Int64(metadataGeneration), at: 5)
        try statement.bind(Int64(secretGeneration), at: 6)
        try statement.bind(tags.identity, at: 7)
        try statement.bind(tags.server, at: 8)
        try statement.bind(tags.service, at: 9)
        try statement.bind(tags.account, at: 10)
        try statement.bind(tags.accessGroup, at: 11)
        try statement.bind(attributes, at: 12)
        try statement.bind(secret, at: 13)
    }
}
