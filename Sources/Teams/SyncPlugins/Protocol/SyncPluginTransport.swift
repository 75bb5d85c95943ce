internal import LinuxSystem
internal import KeychainPlugin
package import LanyardSecrets
package import SyncEngine

/// A transport in a separate program, which can neither delay nor crash the caller. The man page
/// lanyard-sync-plugin(7) describes the protocol.
///
/// The first operation starts the program. If it dies, is too slow or violates the protocol, it is killed, and the
/// next operation starts it again. A put without an answer may have happened.
package final class SyncPluginTransport: SyncTransport {
    /// The milliseconds that an operation may take.
    package var timeLimit: Int64
    /// The most bytes of an answer's lines.
    var answerLimit = SyncPluginProtocol.answerLimit
    private let executable: String
    private let address: String
    private let team: Identifier
    private let folder: String
    private let password: () throws(KeychainError) -> Secret?
    private let start: (String) throws(KeychainError) -> PluginConnection

    private var connection: PluginConnection?
    private var lastID: Int64 = 0

    /// Creates a transport without starting the program.
    ///
    /// - Parameters:
    ///   - executable: The program's path; its owner and mode are checked at its start.
    ///   - address: The server's address, without a password.
    ///   - folder: A folder of the team alone, for the program's files.
    ///   - timeLimit: The milliseconds that an operation may take.
    ///   - password: Returns the password for the address, nil if the keychain has none.
    /// - Throws: ``Status/param`` for an address with a password.
    package convenience init(
        executable: String, address: String, team: Identifier, folder: String,
        timeLimit: Int64 = 20_000,
        password: @escaping () throws(KeychainError) -> Secret? = { () throws(KeychainError) in nil
        }
    ) throws(KeychainError) {
        try self.init(
            executable: executable, address: address, team: team, folder: folder,
            timeLimit: timeLimit, password: password
        ) { path throws(KeychainError) in
            try PluginConnection(starting: path, SyncPluginTransport.words(path))
        }
    }

    init(
        executable: String, address: String, team: Identifier, folder: String, timeLimit: Int64,
        password: @escaping () throws(KeychainError) -> Secret?,
        start: @escaping (String) throws(KeychainError) -> PluginConnection
    ) throws(KeychainError) {
        try SyncAddress.checkHasNoPassword(address)
        self.executable = executable
        self.address = address
        self.team = team
        self.folder = folder
        self.timeLimit = timeLimit
        self.password = password
        self.start = start
    }

    /// Returns the path of the program for a kind of server, nil if it is not installed.
    ///
    /// - Parameter kind: `git`, `postgresql` or another one.
    package static func find(kind: String) -> String? {
        kind.isEmpty ? nil : PluginProgram.find("lanyard-sync-\(kind)")
    }

    // MARK: Operations

    /// Prepares the server, if that is still to be done.
    package func create() throws(KeychainError) {
        _ = try ask(.create)
    }

    /// Prepares the server, and gives accounts the rights that a device needs there.
    ///
    /// - Throws: ``Status/unimplemented`` if the server's kind gives no rights.
    package func create(for accounts: [String]) throws(KeychainError) {
        _ = try ask(.create) { request throws(KeychainError) in request.accounts = accounts }
    }

    package func head() throws(KeychainError) -> ServerHead {
        let answer = try ask(.head)
        return try required(answer.head)
    }

    package func changes(since head: ServerHead) throws(KeychainError) -> ServerChanges {
        let answer = try ask(.changes) { request throws(KeychainError) in try request.set(head) }
        return ServerChanges(
            head: try required(answer.head), roster: answer.roster, records: answer.records,
            hasMore: answer.isPiece)
    }

    package func record(_ id: Identifier) throws(KeychainError) -> ServerRecord? {
        let answer = try ask(.record) { request throws(KeychainError) in request.record = id }
        guard answer.records.count <= 1, answer.records.allSatisfy({ $0.id == id }) else {
            throw breakDown(.nonsense("a record was not requested"))
        }
        return answer.records.first
    }

    package func put(
        _ records: [ServerRecord], rosterCount: UInt64
    ) throws(KeychainError) -> PutResult {
        let answer = try ask(.put) { request throws(KeychainError) in
            request.rosterCount = try SyncMessage.number(rosterCount)
            request.records = records
        }
        return try required(answer.isStored) ? .stored : .conflict
    }

    package func putRoster(
        _ entry: [UInt8], at head: ServerHead
    ) throws(KeychainError) -> PutResult {
        let answer = try ask(.putRoster) { request throws(KeychainError) in
            try request.set(head)
            request.roster = [entry]
        }
        return try required(answer.isStored) ? .stored : .conflict
    }

    // MARK: The conversation

    private func ask(
        _ method: SyncPluginMethod,
        _ fill: (inout SyncMessage) throws(KeychainError) -> Void = { _ throws(KeychainError) in }
    ) throws(KeychainError) -> SyncMessage {
        if connection == nil {
            connection = try start(executable)
            do throws(KeychainError) {
                try greet()
            } catch {
                connection = nil
                throw error
            }
        }
        return try exchange(method, fill)
    }

    private func greet() throws(KeychainError) {
        let answer = try exchange(.hello) { request throws(KeychainError) in
            request.versions = [SyncPluginProtocol.version]
            request.address = address
            request.team = team
            request.folder = folder
            request.password = try password()
        }
        guard answer.version == SyncPluginProtocol.version else {
            throw breakDown(.otherVersion)
        }
    }

    private func exchange(
        _ method: SyncPluginMethod, _ fill: (inout SyncMessage) throws(KeychainError) -> Void
    ) throws(KeychainError) -> SyncMessage {
        lastID += 1
        var request = SyncMessage(lastID, method)
        request.timeout = timeLimit
        try fill(&request)
        let limit = PluginConnection.Limit(
            Deadline(milliseconds: timeLimit + SyncPluginProtocol.grace),
            .silent(milliseconds: timeLimit))
        let records = request.records
        (_, request.records) = try SyncBatches.divide([], records) {
            _, records throws(KeychainError) in
            // The first line has the other members, too; they may come more than once.
            request.records = records
            request.hasMore = true
            try send(request.line(), limit)
        }
        request.hasMore = false
        try send(request.line(), limit)
        return try answer(limit)
    }

    /// Reads all lines of an answer.
    private func answer(_ limit: PluginConnection.Limit) throws(KeychainError) -> SyncMessage {
        var roster: [[UInt8]] = []
        var records: [ServerRecord] = []
        var size = 0
        while true {
            let line = try limiting { connection throws(PluginFailure) in
                try connection.readLine(within: limit)
            }
            size += line.count
            guard size <= answerLimit else {
                throw breakDown(.nonsense("the answer has more than any team"))
            }
            var answer: SyncMessage
            do throws(KeychainError) {
                answer = try SyncMessage(line)
            } catch {
                throw breakDown(.nonsense(error.reason))
            }
            guard answer.id == lastID else {
                throw breakDown(.nonsense("the answer's id differs from the request's"))
            }
            if let error = answer.error {
                throw error
            }
            roster += answer.roster
            records += answer.records
            if !answer.hasMore {
                answer.roster = roster
                answer.records = records
                return answer
            }
        }
    }

    private func send(
        _ line: consuming Secret, _ limit: PluginConnection.Limit
    ) throws(KeychainError) {
        let line = line
        try limiting { connection throws(PluginFailure) in
            try connection.write(line, within: limit)
        }
    }

    private func limiting<Result: ~Copyable>(
        _ body: (PluginConnection) throws(PluginFailure) -> Result
    ) throws(KeychainError) -> Result {
        guard let connection else {
            throw KeychainError(.notAvailable)
        }
        do throws(PluginFailure) {
            return try body(connection)
        } catch {
            throw breakDown(error)
        }
    }

    /// Ends the program.
    private func breakDown(_ failure: PluginFailure) -> KeychainError {
        connection = nil
        return failure.error(SyncPluginTransport.words(executable))
    }

    private static func words(_ executable: String) -> String {
        "the program '\(PrivatePlace.name(of: executable))'"
    }

    private func required<Value>(_ value: Value?) throws(KeychainError) -> Value {
        guard let value else {
            throw breakDown(.nonsense("a member of the answer is missing"))
        }
        return value
    }
}
