internal import TestSupport
import KeychainServices

/// Makes random calls and compares what becomes of them with the model.
struct ModelSteps {
    private let whole: Keychain
    /// The keychain with the groups of the current call.
    private var keychain: Keychain
    private var groups = ModelGroups()
    var random: SeededRandom
    var model = Model()
    private var step = 0

    init(_ keychain: Keychain, _ random: SeededRandom) {
        whole = keychain.withCertificates
        self.keychain = whole
        self.random = random
    }

    /// One step: a call, or some in a transaction, and a look at the result.
    mutating func next() throws {
        if random.chance(15) {
            try transaction(calls: .random(in: 1...5, using: &random), fails: random.chance(50))
        } else {
            try expectSame(call())
        }
        let query = random.chance(30) ? everything() : randomQuery()
        changeGroups()
        guard groups.mayUse(query.attributes) else {
            return try expectStatus(.missingEntitlement) { _ = try keychain.items(query) }
        }
        try model.check(keychain.items(query), query, in: groups)
        if random.chance(20) {
            let identities = Query(.identity).with { $0.synchronizable = .any }
            try expectEqual(
                try keychain.count(identities), model.identities(in: groups).count, "identities")
        }
    }

    /// Continues as another program: with all access groups, or with some.
    private mutating func changeGroups() {
        var some: [ByteString] = ["git", "", whole.accessGroup].shuffled(using: &random)
        some.removeLast(.random(in: 0...2, using: &random))
        groups = ModelGroups(groups: random.chance(40) ? nil : some)
        keychain =
            groups.groups == nil
            ? whole : whole.using(AccessGroups(some[0], others: Array(some.dropFirst())))
    }

    private mutating func transaction(calls: Int, fails: Bool) throws {
        let before = model
        var failure: (any Error)?
        do throws(KeychainError) {
            try keychain.transaction { () throws(KeychainError) in
                for _ in 0..<calls where failure == nil {
                    do {
                        try expectSame(call())
                    } catch {
                        failure = error
                    }
                }
                if fails {
                    throw KeychainError(.userCanceled)
                }
            }
        } catch {
            guard fails, error.status == .userCanceled else {
                throw error
            }
            model = before
        }
        if let failure {
            throw failure
        }
    }

    private func expectSame(_ outcome: (found: Status, wanted: Status)) throws {
        try expectEqual(outcome.found.rawValue, outcome.wanted.rawValue, "the status of a call")
    }

    /// Adds, updates or deletes.
    private mutating func call() -> (found: Status, wanted: Status) {
        step += 1
        changeGroups()
        switch Int.random(in: 0..<100, using: &random) {
        case ..<50: return add()
        case ..<85: return update()
        default: return delete()
        }
    }

    private mutating func add() -> (found: Status, wanted: Status) {
        let itemClass = ItemClass.stored.randomElement(using: &random)!
        var item = ModelItem(
            itemClass: itemClass, attributes: randomAttributes(itemClass), secret: randomSecret(),
            changed: step)
        item.attributes.synchronizable = [nil, nil, false, true].randomElement(using: &random)!
        let given = item.attributes
        if itemClass == .certificate {
            item.becomeCertificate()
        }
        item.attributes.accessGroup = item.attributes.accessGroup ?? keychain.accessGroup
        let found = status { () throws(KeychainError) in
            try keychain.add(itemClass, given, secret: Secret(bytes: item.secret))
        }
        return (found, model.add(item, in: groups))
    }

    private mutating func update() -> (found: Status, wanted: Status) {
        let query = randomQuery()
        var changes = randomAttributes(query.itemClass!, percent: 20)
        if random.chance(10) {
            changes.synchronizable = random.chance(50)
        }
        var secret = random.chance(60) || changes == ItemAttributes() ? randomSecret() : nil
        if query.itemClass == .certificate {
            // Nothing else of it can change.
            changes = ItemAttributes {
                $0.accessGroup = changes.accessGroup
                $0.synchronizable = changes.synchronizable
                $0.label = changes.label ?? "label"
            }
            secret = nil
        }
        let found = status { () throws(KeychainError) in
            try keychain.update(query, changes, secret: secret.map { Secret(bytes: $0) })
        }
        return (found, model.update(query, changes, secret, in: groups, step: step))
    }

    private mutating func delete() -> (found: Status, wanted: Status) {
        if random.chance(20) {
            let identities = Query(.identity).with { $0.synchronizable = .any }
            let found = status { () throws(KeychainError) in try keychain.delete(identities) }
            return (found, model.deleteIdentities(in: groups))
        }
        let query = randomQuery()
        let found = status { () throws(KeychainError) in try keychain.delete(query) }
        return (found, model.delete(query, in: groups))
    }

    private func status(_ body: () throws(KeychainError) -> Void) -> Status {
        do throws(KeychainError) {
            try body()
            return .success
        } catch {
            return error.status
        }
    }
}
