import TestSupport
import KeychainServices
import Testing

@testable import SealedStore

/// The sealed store does what the store in memory does, whatever the operations.
@Suite("Sealed store against the store in memory") struct ModelTests {
    /// One item as a walk shows it; ids are random in each store.
    private struct Seen: Equatable {
        var itemClass: ItemClass
        var attributes: ItemAttributes?
        var secret: [UInt8]?
    }

    private enum Outcome: Equatable {
        case done(Int)
        case failed(Status)
        case seen([Seen])
    }

    private static let names: [ByteString] = ["a", "b", "A", "é", ""]

    private func attributes(
        _ itemClass: ItemClass, _ random: inout SeededRandom, isQuery: Bool
    ) -> ItemAttributes {
        var attributes = ItemAttributes()
        func maybe<Value>(
            _ path: WritableKeyPath<ItemAttributes, Value?>, _ values: [Value], odds: Int = 2
        ) {
            if random.number(below: odds) == 0 {
                attributes[keyPath: path] = values.randomElement(using: &random)
            }
        }
        let names = ModelTests.names
        maybe(\.account, names)
        maybe(\.accessGroup, ["g", "h"])
        maybe(\.label, names, odds: 5)
        maybe(\.isInvisible, [true, false], odds: 8)
        maybe(\.accessible, Accessibility.allCases, odds: 5)
        if !isQuery {
            maybe(\.synchronizable, [true, false], odds: 5)
        }
        if itemClass == .genericPassword {
            maybe(\.service, names)
            maybe(\.generic, names, odds: 8)
        } else {
            maybe(\.server, names)
            maybe(\.port, [0, 443], odds: 4)
            maybe(\.protocol, [.https, .ssh], odds: 4)
            maybe(\.path, names, odds: 4)
            maybe(\.authenticationType, [.httpBasic, .default], odds: 8)
            maybe(\.securityDomain, names, odds: 8)
        }
        return attributes
    }

    private func query(_ random: inout SeededRandom) -> Query {
        let itemClass: ItemClass =
            random.number(below: 2) == 0 ? .genericPassword : .internetPassword
        var query = Query(itemClass, attributes(itemClass, &random, isQuery: true))
        query.synchronizable =
            [.any, .synchronizable, .notSynchronizable].randomElement(using: &random)!
        return query
    }

    private func outcome(_ body: () throws(KeychainError) -> Outcome) -> Outcome {
        do throws(KeychainError) {
            return try body()
        } catch {
            return .failed(error.status)
        }
    }

    /// Runs the same operation on a keychain; the random numbers are the caller's copy.
    private func perform(_ keychain: Keychain, _ random: inout SeededRandom) -> Outcome {
        let kind = random.number(below: 10)
        let secret = random.bytes(random.number(below: 100))
        switch kind {
        case 0...3:
            let itemClass: ItemClass = kind < 2 ? .genericPassword : .internetPassword
            let attributes = attributes(itemClass, &random, isQuery: false)
            return outcome { () throws(KeychainError) in
                try keychain.add(itemClass, attributes, secret: secretOf(secret))
                return .done(0)
            }
        case 4, 5:
            let query = query(&random)
            let changes = attributes(query.itemClass!, &random, isQuery: false)
            let hasSecret = random.number(below: 2) == 0
            return outcome { () throws(KeychainError) in
                if hasSecret {
                    try keychain.update(query, changes, secret: secretOf(secret))
                } else {
                    try keychain.update(query, changes)
                }
                return .done(1)
            }
        case 6:
            let query = query(&random)
            return outcome { () throws(KeychainError) in
                try keychain.delete(query)
                return .done(2)
            }
        case 7:
            // Several in one, which may fail as a whole.
            let count = 1 + random.number(below: 3)
            let fails = random.number(below: 2) == 0
            return outcome { () throws(KeychainError) in
                try keychain.transaction { () throws(KeychainError) in
                    for _ in 0..<count {
                        _ = perform(keychain, &random)
                    }
                    if fails {
                        throw KeychainError(.userCanceled)
                    }
                }
                return .done(3)
            }
        default:
            var query = query(&random)
            query.returns = [.attributes, .data]
            query.match.limit = [.one, .all, .atMost(2)].randomElement(using: &random)!
            query.match.caseInsensitive = [nil, true, false].randomElement(using: &random)!
            return walk(keychain, query)
        }
    }

    private func walk(_ keychain: Keychain, _ query: Query) -> Outcome {
        outcome { () throws(KeychainError) in
            var seen: [Seen] = []
            try keychain.forEachMatch(query) { item throws(KeychainError) in
                let secret: [UInt8]? =
                    switch item.secret {
                    case .some(let secret): bytes(secret)
                    case .none: nil
                    }
                seen.append(
                    Seen(itemClass: item.itemClass, attributes: item.attributes, secret: secret))
                return .next
            }
            return .seen(seen)
        }
    }

    @Test func fiveHundredRandomOperations() throws {
        let scratch = try ScratchKeychain()
        let time = Count()
        let now = { @Sendable in Timestamp(secondsSinceEpoch: Int64(time.value)) }
        let sealed = try SealedStore(at: scratch.location, now: now)
        let memory = InMemoryStore(now: now)
        var random = SeededRandom()
        for step in 0..<500 {
            time.add(1)
            let state = random
            let got = perform(Keychain(sealed, accessGroups: .all(addingTo: "g")), &random)
            var again = state
            let expected = perform(Keychain(memory, accessGroups: .all(addingTo: "g")), &again)
            #expect(got == expected, "seed \(SeededRandom.seed), step \(step)")
            if step % 50 == 49 {
                try compareAll(sealed, memory, scratch, step)
            }
            guard got == expected else {
                return
            }
        }
    }

    private func compareAll(
        _ sealed: SealedStore, _ memory: InMemoryStore, _ scratch: ScratchKeychain, _ step: Int
    ) throws {
        var count = 0
        let anew = try scratch.openStore()
        for itemClass in [ItemClass.genericPassword, .internetPassword] {
            var query = Query(itemClass, returns: [.attributes, .data])
            query.synchronizable = .any
            query.match.limit = .all
            let expected = walk(Keychain(memory, accessGroups: .all()), query)
            #expect(walk(Keychain(sealed, accessGroups: .all()), query) == expected, "step \(step)")
            #expect(walk(Keychain(anew, accessGroups: .all()), query) == expected, "step \(step)")
            if case .seen(let seen) = expected {
                count += seen.count
            }
        }
        #expect(scratch.verified() == count)
    }
}
