internal import KeychainServices
internal import StrictJSON

extension PluginServer {
    /// Carries out a request and answers it.
    func carryOut(
        _ method: PluginMethod, _ request: PluginRequest, _ keychain: Served
    ) throws(KeychainError) {
        switch method {
        case .hello: break
        case .status:
            let status = try keychain.status()
            answer(request.id) { writer throws(KeychainError) in try writer.members(status) }
        case .unlock:
            try keychain.unlock()
            answer(request.id)
        case .lock:
            try checkNoWalk()
            try keychain.lock()
            answer(request.id)
        case .add: try add(request, keychain)
        case .update: try update(request, keychain)
        case .delete: try delete(request, keychain)
        case .match: try match(request, keychain)
        case .next, .end:
            throw KeychainError(.param, "this walk is not open, or one inside it still is")
        case .skipped:
            let names = try keychain.skippedItems()
            answer(request.id) { writer throws(KeychainError) in try writer.members(skipped: names)
            }
        case .begin: try transaction(request, keychain)
        case .commit, .rollback:
            throw KeychainError(.param, "no transaction is open, or a walk inside it still is")
        }
    }

    func checkNoWalk() throws(KeychainError) {
        guard walks.isEmpty else {
            throw KeychainError(
                .param, "the keychain can't be changed while its items are being read")
        }
    }

    private func add(_ request: PluginRequest, _ keychain: Served) throws(KeychainError) {
        try checkNoWalk()
        let itemClass = try parameter(request.itemClass, "class")
        try request.attributes.check(for: itemClass)
        try request.attributes.checkStorable()
        try request.attributes.checkUnconditional()
        _ = try parameter(request.attributes.accessible, "accessible")
        _ = try parameter(request.attributes.accessGroup, "accessGroup")
        guard let secret = request.takeSecret() else {
            throw KeychainError(.param, "the member 'secret' is missing")
        }
        let attributes =
            request.keepsDates ? request.attributes : request.attributes.withoutDates
        let reference = try keychain.add(itemClass, attributes, secret: secret)
        answer(request.id) { writer throws(KeychainError) in
            try writer.member("reference", reference.id.text)
        }
    }

    private func update(_ request: PluginRequest, _ keychain: Served) throws(KeychainError) {
        try checkNoWalk()
        let query = try parameter(request.query, "query")
        try query.checkForChange()
        try request.changes.check(for: query.itemClass!)
        try request.changes.checkStorable()
        try request.changes.checkUnconditional()
        let count = try keychain.update(query, request.changes, secret: request.takeSecret())
        answer(request.id) { writer throws(KeychainError) in
            try writer.member("count", Int64(count))
        }
    }

    private func delete(_ request: PluginRequest, _ keychain: Served) throws(KeychainError) {
        try checkNoWalk()
        let query = try parameter(request.query, "query")
        try query.checkForChange()
        let count = try keychain.delete(query)
        answer(request.id) { writer throws(KeychainError) in
            try writer.member("count", Int64(count))
        }
    }

    /// Returns the value of a member that this method requires.
    func parameter<Value>(_ value: Value?, _ name: StaticString) throws(KeychainError) -> Value {
        guard let value else {
            throw KeychainError(.param, "the member '\(name)' is missing")
        }
        return value
    }
}
