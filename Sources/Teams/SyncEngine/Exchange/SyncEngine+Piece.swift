internal import LanyardSecrets

// A server gets what it lacks in pieces.
extension SyncEngine {
    /// The records that the server lacks.
    struct Lacking {
        let items: KeySet
        var heads: Set<Identifier> = []
        var ownHead = false
        /// Heads to store again under a key that all devices have.
        var headsAgain: Set<Identifier> = []
        /// Items under a key that this device lacks, and whether heads of present devices are.
        var hiddenItems: Set<Identifier> = []
        var hidesHeads = false

        init(in replica: Replica) throws(KeychainError) {
            items = KeySet("lacking", in: replica.rows.database)
            try items.removeAll()
        }

        mutating func remove(_ piece: Piece) throws(KeychainError) {
            if piece.isLast {
                try items.removeAll()
                (heads, ownHead, headsAgain) = ([], false, [])
            } else {
                for record in piece.items {
                    try items.remove(record.bytes)
                }
            }
        }
    }

    /// As much of what is lacking as the server gets at once.
    struct Piece {
        var items: Set<Identifier> = []
        /// The size of their contents, in bytes.
        var size = 0
        var heads: Set<Identifier> = []
        var hasOwnHead = false
        var isLast = false
    }

    /// Returns a piece. Heads come last: what they tell of is there then. So do this device's changes that waited,
    /// which are at most one piece: no other head tells of them.
    func piece(of lacking: Lacking) throws(KeychainError) -> Piece {
        var (piece, own) = (Piece(), Piece())
        var isFull = false
        try lacking.items.forEach { key throws(KeychainError) in
            let record = try Identifier(key)
            guard let item = try replica.item(record) else {
                return true
            }
            guard item.context[device.id] <= given else {
                own.items.insert(record)
                own.size += item.size
                return true
            }
            guard piece.items.count < pieceCount, piece.size < SyncPiece.size else {
                isFull = true
                return false
            }
            piece.items.insert(record)
            piece.size += item.size
            return true
        }
        if !isFull {
            piece.items.formUnion(own.items)
            piece.size += own.size
            piece.heads = lacking.heads.union(lacking.headsAgain)
            piece.hasOwnHead = lacking.ownHead
            piece.isLast = true
        }
        return piece
    }

    func puts(of piece: Piece) throws(KeychainError) -> [ServerRecord] {
        var puts: [ServerRecord] = []
        for record in piece.items.sorted() {
            if let item = try replica.item(record) {
                puts.append(try put(.item(item), as: record))
            }
        }
        var heads = piece.heads.compactMap { replica.summary.heads[$0] }
        if piece.hasOwnHead {
            heads.removeAll { $0.device == device.id }
            heads.append(replica.head(of: device))
        }
        for head in heads {
            let record = DeviceHead.record(of: head.device, team: replica.roster.team)
            puts.append(try put(.head(head), as: record))
        }
        return puts
    }

    private func put(
        _ content: RecordContent, as record: Identifier
    ) throws(KeychainError) -> ServerRecord {
        ServerRecord(
            id: record, version: try replica.serverVersion(of: record) ?? 0,
            content: try content.seal(
                as: record, team: replica.roster.team, under: presentKey()))
    }
}
