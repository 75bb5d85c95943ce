internal import LinuxSystem
internal import KeychainPlugin
internal import LanyardSecrets
internal import SyncEngine

/// Runs a transport's program to its end: serves the transport to the program that started this one, until that closes
/// the connection, or prints its help or its version. The man page lanyard-sync-plugin(7) describes the protocol.
///
/// - Parameters:
///   - type: The type of the transport. Creating one must be quick, and its error is sent to the other side.
///   - name: The program's name.
///   - help: What `--help` prints, without the final newline.
package func runSyncPlugin<Server: SyncServer>(
    _ type: Server.Type, name: String, help: String
) -> Never {
    runPluginProgram(name: name, help: help) { SyncPluginServer<Server>($0).run() }
}

/// The program's side of the protocol.
final class SyncPluginServer<Server: SyncServer> {
    private let channel: LineChannel
    private var server: Server?

    init(_ channel: LineChannel) {
        self.channel = channel
    }

    /// Answers requests until there are no more.
    func run() {
        do throws(LineChannel.Failure) {
            while let line = try channel.readLine(until: nil) {
                try answer(line)
            }
        } catch {
            // The other side has stopped listening.
        }
    }

    private func answer(_ line: borrowing Secret) throws(LineChannel.Failure) {
        var id: Int64 = 0
        do throws(KeychainError) {
            var request = try SyncMessage(line)
            id = request.id
            // The rest of a long request.
            while request.hasMore {
                guard let line = try? channel.readLine(until: nil) else {
                    throw KeychainError(.param, "the request is not complete")
                }
                var more = try SyncMessage(line)
                guard more.id == id else {
                    throw KeychainError(.param, "the request is not complete")
                }
                more.records = request.records + more.records
                request = more
            }
            var answer = SyncMessage(id)
            try carryOut(&request, &answer)
            try write(answer)
        } catch {
            var answer = SyncMessage(id)
            answer.error =
                error.status == .decode && server == nil
                ? KeychainError(.param, error.reason, hint: error.hint) : error
            do throws(KeychainError) {
                try write(answer)
            } catch {
                throw .ended
            }
        }
    }

    /// Writes an answer in as many lines as it needs.
    private func write(_ answer: consuming SyncMessage) throws(KeychainError) {
        let id = answer.id
        (answer.roster, answer.records) = try SyncBatches.divide(answer.roster, answer.records) {
            roster, records throws(KeychainError) in
            var part = SyncMessage(id)
            part.roster = roster
            part.records = records
            part.hasMore = true
            try send(part.line())
        }
        try send(answer.line())
    }

    private func send(_ line: consuming Secret) throws(KeychainError) {
        do throws(LineChannel.Failure) {
            try channel.write(line, until: nil)
        } catch {
            throw KeychainError(.notAvailable)
        }
    }

    private func carryOut(
        _ request: inout SyncMessage, _ answer: inout SyncMessage
    ) throws(KeychainError) {
        guard let method = request.method.map(SyncPluginMethod.init(rawValue:)) ?? nil else {
            throw KeychainError(.unimplemented, "unknown method")
        }
        guard method != .hello else {
            try hello(&request)
            answer.version = SyncPluginProtocol.version
            return
        }
        guard let server else {
            throw KeychainError(.param, "hello must come first")
        }
        server.timeLimit = max(request.timeout ?? 5000, 1)
        switch method {
        case .hello: break
        case .create:
            try request.accounts.isEmpty
                ? server.create() : server.create(for: request.accounts)
        case .head: try answer.set(try server.head())
        case .changes:
            let changes = try server.changes(since: try parameter(request.head, "sequence"))
            try answer.set(changes.head)
            answer.roster = changes.roster
            answer.records = changes.records
            answer.isPiece = changes.hasMore
        case .record:
            answer.records =
                try server.record(try parameter(request.record, "record")).map { [$0] } ?? []
        case .put:
            let count = try parameter(request.rosterCount, "rosterCount")
            guard count >= 0 else {
                throw KeychainError(.param, "a number is out of range")
            }
            answer.isStored =
                try server.put(
                    request.records, rosterCount: UInt64(count)) == .stored
        case .putRoster:
            guard let entry = request.roster.first, request.roster.count == 1 else {
                throw KeychainError(.param, "the member 'roster' must have one entry")
            }
            let head = try parameter(request.head, "sequence")
            answer.isStored = try server.putRoster(entry, at: head) == .stored
        }
    }

    private func hello(_ request: inout SyncMessage) throws(KeychainError) {
        guard server == nil else {
            throw KeychainError(.param, "hello must come only once")
        }
        guard request.versions.contains(SyncPluginProtocol.version) else {
            throw KeychainError(.wrongVersion, "only version 1 of the protocol is supported")
        }
        let address = try parameter(request.address, "address")
        try SyncAddress.checkHasNoPassword(address)
        let password = request.password.take()
        server = try Server(
            SyncAddress(
                address, team: try parameter(request.team, "team"),
                folder: try parameter(request.folder, "folder"), password: password))
    }

    private func parameter<Value>(
        _ value: Value?, _ name: StaticString
    ) throws(KeychainError) -> Value {
        guard let value else {
            throw KeychainError(.param, "the member '\(name)' is missing or invalid")
        }
        return value
    }
}
