internal import LinuxSystem
internal import KeychainPlugin
internal import LanyardSecrets
internal import StrictJSON
internal import SyncEngine

/// One line of the protocol, in either direction. Which members go together is up to the two sides.
struct SyncMessage: ~Copyable {
    var id: Int64 = 0
    // Of a request.
    var method: String?
    var timeout: Int64?
    var versions: [Int64] = []
    var address: String?
    var team: Identifier?
    var folder: String?
    var password: Secret?
    var record: Identifier?
    var accounts: [String] = []
    // Of an answer.
    var version: Int64?
    var isStored: Bool?
    /// Whether more records changed than it has.
    var isPiece = false
    var error: KeychainError?
    // Of both.
    var sequence: Int64?
    var rosterCount: Int64?
    var roster: [[UInt8]] = []
    var records: [ServerRecord] = []
    /// Whether another line belongs to it.
    var hasMore = false

    init(_ id: Int64, _ method: SyncPluginMethod? = nil) {
        self.id = id
        self.method = method?.rawValue
    }

    /// The head, nil if it is missing or no head.
    var head: ServerHead? {
        guard let sequence, let rosterCount, sequence >= 0, rosterCount >= 0 else {
            return nil
        }
        return ServerHead(sequence: UInt64(sequence), rosterCount: UInt64(rosterCount))
    }

    mutating func set(_ head: ServerHead) throws(KeychainError) {
        sequence = try SyncMessage.number(head.sequence)
        rosterCount = try SyncMessage.number(head.rosterCount)
    }

    static func number(_ number: UInt64) throws(KeychainError) -> Int64 {
        guard let number = Int64(exactly: number) else {
            throw KeychainError(.param, "a number is out of range")
        }
        return number
    }
}

// MARK: Writing

extension SyncMessage {
    /// Its line, with a line feed.
    borrowing func line() throws(KeychainError) -> Secret {
        try JSONWriter.writeObject { writer throws(KeychainError) in
            try members(&writer)
        }
    }

    private borrowing func members(_ writer: inout JSONWriter) throws(KeychainError) {
        try writer.member("id", id)
        if let method {
            try writer.member("method", ByteString(method))
        }
        for (name, number) in [
            ("timeout", timeout), ("version", version), ("sequence", sequence),
            ("rosterCount", rosterCount),
        ] {
            if let number {
                try writer.member(ByteString(name), number)
            }
        }
        if !versions.isEmpty {
            try writer.member(array: "versions", of: versions) {
                writer, version throws(KeychainError) in
                try writer.write(version)
            }
        }
        if !accounts.isEmpty {
            try writer.member("accounts", accounts.map { ByteString($0) })
        }
        for (name, text) in [
            ("address", address), ("team", team?.text), ("folder", folder),
            ("record", record?.text),
        ] {
            if let text {
                try writer.member(ByteString(name), ByteString(text))
            }
        }
        switch password {
        case .some(let password):
            try writer.member("password", password.withBytes { Base64.encode($0) })
        case .none: break
        }
        if let isStored {
            try writer.member("stored", isStored)
        }
        if isPiece {
            try writer.member("piece", true)
        }
        try contents(&writer)
        if let error {
            try writer.member(error)
        }
    }

    private borrowing func contents(_ writer: inout JSONWriter) throws(KeychainError) {
        if !roster.isEmpty {
            try writer.member(array: "roster", of: roster) { writer, entry throws(KeychainError) in
                try writer.write(Base64.encode(entry.span))
            }
        }
        if !records.isEmpty {
            try writer.member(array: "records", of: records) {
                writer, record throws(KeychainError) in
                try writer.write(record)
            }
        }
        if hasMore {
            try writer.member("more", true)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ record: ServerRecord) throws(KeychainError) {
        let version = try SyncMessage.number(record.version)
        try writeObject { writer throws(KeychainError) in
            try writer.member("id", ByteString(record.id.text))
            try writer.member("version", version)
            try writer.member("content", Base64.encode(record.content.span))
        }
    }
}

// MARK: Reading

extension SyncMessage {
    /// Reads a line.
    ///
    /// - Throws: ``Status/decode``.
    init(_ line: borrowing Secret) throws(KeychainError) {
        var message = SyncMessage(0)
        try JSONReader.readObject(line, limit: LineChannel.lineLimit) {
            name, reader throws(KeychainError) in
            try message.read(name, &reader)
        }
        self = message
    }

    private mutating func read(
        _ name: ByteString, _ reader: inout JSONReader
    ) throws(KeychainError) {
        switch name {
        case "id": id = try reader.readInteger()
        case "method": method = try reader.readText().description
        case "timeout": timeout = try reader.readInteger()
        case "versions":
            var versions: [Int64] = []
            try reader.readArray { reader throws(KeychainError) in
                versions.append(try reader.readInteger())
            }
            self.versions = versions
        case "address": address = try reader.readText().description
        case "team": team = try reader.readIdentifier()
        case "folder": folder = try reader.readText().description
        case "password":
            let text = try reader.readSecret()
            password = text.withBytes { Base64.decode($0) }
        case "record": record = try reader.readIdentifier()
        case "accounts":
            var accounts: [String] = []
            try reader.readArray { reader throws(KeychainError) in
                accounts.append(try reader.readText().description)
            }
            self.accounts = accounts
        case "version": version = try reader.readInteger()
        case "stored": isStored = try reader.readBool()
        case "piece": isPiece = try reader.readBool()
        case "error": error = try reader.readError()
        case "sequence": sequence = try reader.readInteger()
        case "rosterCount": rosterCount = try reader.readInteger()
        case "roster":
            var roster: [[UInt8]] = []
            try reader.readArray { reader throws(KeychainError) in
                roster.append(try reader.readContent())
            }
            self.roster = roster
        case "records":
            var records: [ServerRecord] = []
            try reader.readArray { reader throws(KeychainError) in
                records.append(try reader.readRecord())
            }
            self.records = records
        case "more": hasMore = try reader.readBool()
        default: break
        }
    }
}

extension JSONReader {
    fileprivate mutating func readIdentifier() throws(KeychainError) -> Identifier {
        guard let id = Identifier(try readText().description) else {
            throw KeychainError(.decode, "an id is not 32 hexadecimal digits")
        }
        return id
    }

    fileprivate mutating func readContent() throws(KeychainError) -> [UInt8] {
        let content = try readBase64Bytes()
        guard content.count <= SyncPluginProtocol.contentLimit else {
            throw KeychainError(.decode, "a record is longer than 6 MiB")
        }
        return content
    }

    fileprivate mutating func readRecord() throws(KeychainError) -> ServerRecord {
        var id: Identifier?
        var version: Int64?
        var content: [UInt8]?
        try readObject { name, reader throws(KeychainError) in
            switch name {
            case "id": id = try reader.readIdentifier()
            case "version": version = try reader.readInteger()
            case "content": content = try reader.readContent()
            default: break
            }
        }
        guard let id, let content, let version, version >= 0 else {
            throw KeychainError(.decode, "a member of a record is missing")
        }
        return ServerRecord(id: id, version: UInt64(version), content: content)
    }
}
