internal import KeychainServices
internal import StrictJSON

extension PluginServer {
    /// Sends the items that match a query in batches: the first one answers this request, and later
    /// requests get the others.
    func match(_ request: PluginRequest, _ keychain: Served) throws(KeychainError) {
        var query = try parameter(request.query, "query")
        query.match.limit = .all
        query.returns = [.attributes, .reference]
        if request.returnsSecret {
            query.returns.insert(.data)
        }
        try query.checkForCopyMatching()
        guard walks.count < PluginProtocol.nestingLimit else {
            throw KeychainError(.param, "too many nested walks")
        }
        lastWalk += 1
        walks.append(lastWalk)
        let walk = Walk(self, keychain, request, number: lastWalk)
        let failure: KeychainError?
        do throws(KeychainError) {
            try keychain.forEachMatch(query) { item throws(KeychainError) in walk.take(item) }
            failure = nil
        } catch {
            failure = error
        }
        walk.finish(failure)
        walks.removeLast()
    }

    /// Answers requests until one is about the walk.
    ///
    /// - Returns: A request for more; nil if no more are wanted.
    fileprivate func nextRequest(ofWalk number: Int64) -> PluginRequest? {
        while let request = nextRequest() {
            switch request.method {
            case .next where request.walk == number && walks.last == number:
                return request
            case .end where request.walk == number && walks.last == number:
                answer(request.id)
                return nil
            default:
                carryOut(request)
            }
        }
        return nil
    }

    /// An unfinished walk, with the items for its next answer.
    private final class Walk {
        private let server: PluginServer
        private let keychain: Served
        private let number: Int64
        /// The request to answer next, nil when no more are wanted.
        private var request: PluginRequest?
        private var items: [PluginItem] = []
        private var size = 0

        init(
            _ server: PluginServer, _ keychain: Served, _ request: PluginRequest, number: Int64
        ) {
            self.server = server
            self.keychain = keychain
            self.request = request
            self.number = number
        }

        func take(_ item: consuming MatchedItem) -> WalkControl {
            guard let request, let id = item.reference?.id, let attributes = item.attributes else {
                return .stop
            }
            let taken = PluginItem(id, attributes, secret: item.secret)
            items.append(taken)
            size += taken.size
            guard items.count >= request.count || size >= PluginProtocol.batchSize else {
                return .next
            }
            return handOut() ? .next : .stop
        }

        /// Answers with the gathered items, with more to come.
        ///
        /// - Returns: Whether more are wanted.
        private func handOut() -> Bool {
            answer(walk: number)
            request = server.nextRequest(ofWalk: number)
            if let request {
                server.begin(request, keychain)
            }
            return request != nil
        }

        /// Answers with the last items, or with the error that ends the walk.
        func finish(_ failure: KeychainError?) {
            guard request != nil else {
                return
            }
            guard let failure else {
                answer(walk: nil)
                return
            }
            if !items.isEmpty, !handOut() {
                return
            }
            if let request {
                server.answer(request.id, failure)
            }
        }

        private func answer(walk: Int64?) {
            let batch = PluginBatch(items, walk: walk)
            items = []
            size = 0
            if let request {
                server.answer(request.id) { writer throws(KeychainError) in
                    try batch.write(to: &writer)
                }
            }
        }
    }
}
