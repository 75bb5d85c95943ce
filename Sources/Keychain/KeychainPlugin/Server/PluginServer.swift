internal import KeychainServices
internal import LinuxSystem
internal import StrictJSON

/// A plugin's side of the protocol, over any keychain.
///
/// During a walk or a transaction it answers further requests, while the keychain waits in a call
/// of a closure. Nested loops therefore carry the requests out.
final class PluginServer<Served: ServedKeychain> {
    typealias Open = (
        String, [(name: String, value: String)]
    ) throws(KeychainError) -> Served

    private let kind: String
    private let hasTransactions: Bool
    private let open: Open
    private let channel: LineChannel
    private var opened: Served?
    /// Whether there will be no further request.
    private(set) var isEnded = false
    /// The open walks, each inside the one before it.
    var walks: [Int64] = []
    var lastWalk: Int64 = 0
    /// The number of nested transactions.
    var openTransactions = 0

    init(
        kind: String, input: Int32, output: Int32, transactions: Bool, open: @escaping Open
    ) {
        self.kind = kind
        hasTransactions = transactions
        self.open = open
        channel = LineChannel(input: input, output: output)
    }

    /// Answers requests until there are no more.
    func run() {
        while let request = nextRequest() {
            carryOut(request)
        }
    }

    /// - Returns: Nil at the end.
    func nextRequest() -> PluginRequest? {
        while !isEnded {
            do throws(LineChannel.Failure) {
                guard let line = try channel.readLine(until: nil) else {
                    break
                }
                do throws(PluginRequest.Refusal) {
                    return try PluginRequest(line)
                } catch {
                    answer(error.id, error.error)
                }
            } catch {
                break
            }
        }
        isEnded = true
        return nil
    }

    func carryOut(_ request: PluginRequest) {
        do throws(KeychainError) {
            guard let method = request.method else {
                throw KeychainError(.unimplemented, "unknown method")
            }
            guard method != .hello else {
                try hello(request)
                return
            }
            guard let opened else {
                throw KeychainError(.param, "hello must come first")
            }
            begin(request, opened)
            try carryOut(method, request, opened)
        } catch {
            answer(request.id, error)
        }
    }

    /// Tells the keychain the limits of a request.
    func begin(_ request: PluginRequest, _ keychain: Served) {
        var hasPrompted = !request.isPromptAllowed
        keychain.begin(
            PluginCall(
                isPromptAllowed: request.isPromptAllowed, timeLimit: request.timeLimit
            ) { [channel] in
                guard !hasPrompted else {
                    return
                }
                hasPrompted = true
                // If the helper has stopped listening, the answer finds that.
                try? PluginServer.write(to: channel) { writer throws(KeychainError) in
                    try writer.member("id", request.id)
                    try writer.member("prompting", true)
                }
            })
    }

    private func hello(_ request: PluginRequest) throws(KeychainError) {
        guard opened == nil else {
            throw KeychainError(.param, "hello must come only once")
        }
        guard try parameter(request.versions, "versions").contains(PluginProtocol.version) else {
            throw KeychainError(.wrongVersion, "only version 1 of the protocol is supported")
        }
        let keychain = try parameter(request.keychain, "keychain")
        opened = try open(keychain, request.settings)
        answer(request.id) { writer throws(KeychainError) in
            try writer.member("version", PluginProtocol.version)
            try writer.member("kind", ByteString(self.kind))
            try writer.member("transactions", self.hasTransactions)
            try writer.member("dates", true)
            try writer.member("accessGroups", true)
            try writer.member("queryOptions", true)
        }
    }

    // MARK: Answers

    func answer(
        _ id: Int64,
        _ result: @escaping (inout JSONWriter) throws(KeychainError) -> Void = { _ in }
    ) {
        write { writer throws(KeychainError) in
            try writer.member("id", id)
            try writer.member(object: "result", result)
        }
    }

    func answer(_ id: Int64, _ error: KeychainError) {
        write { writer throws(KeychainError) in
            try writer.member("id", id)
            try writer.member(error)
        }
    }

    private func write(
        _ members: (inout JSONWriter) throws(KeychainError) -> Void
    ) {
        do {
            try PluginServer.write(to: channel, members)
        } catch {
            // The helper has stopped listening.
            isEnded = true
        }
    }

    private static func write(
        to channel: LineChannel, _ members: (inout JSONWriter) throws(KeychainError) -> Void
    ) throws {
        try channel.write(try JSONWriter.writeObject(members), until: nil)
    }
}
