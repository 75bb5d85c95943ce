#if SecretService
import KeychainServices
import TestSupport
import Testing

@testable import SecretServiceStore

@Suite(
    "KeePassXC as the Secret Service", .enabled(if: PrivateKeePassXC.isPossible), .serialized,
    .timeLimit(.minutes(1)))
struct KeePassXCTests {
    /// One for all tests: it takes a while to start.
    private static let service = Result { try PrivateKeePassXC() }

    private func makeKeychain(_ group: ByteString = "git") throws -> Keychain {
        let keychain = Keychain(
            try KeePassXCTests.service.get().makeStore(), accessGroups: .all(addingTo: group))
        try keychain.empty()
        return keychain
    }

    @Test func statusTellsOfIt() throws {
        let store = try KeePassXCTests.service.get().makeStore()
        #expect(try !store.isLocked())
        #expect(try store.place() == "collection 'Passwords' of KeePassXC")
        #expect(try store.outlastsReboot())
    }

    @Test(arguments: ["git", "docker", "login", "own"])
    func everyGroupIsKept(_ group: ByteString) throws {
        let keychain = try makeKeychain(group)
        let itemClass: ItemClass =
            ["login", "own"].contains(group) ? .genericPassword : .internetPassword
        let one: ItemAttributes
        let other: ItemAttributes
        switch group {
        case "git": (one, other) = (.git("example.com"), .git("example.com", account: "you"))
        case "docker": (one, other) = (.docker("example.com"), .docker("example.com", port: 5000))
        default: (one, other) = (.login("mail", account: "me"), .login("mail", account: "you"))
        }
        func of(_ attributes: ItemAttributes) -> ItemAttributes {
            var attributes = attributes
            attributes.accessGroup = group
            attributes.port = itemClass == .internetPassword ? attributes.port ?? 0 : nil
            return attributes
        }
        try keychain.add(itemClass, of(one), secret: Secret("first"))
        try keychain.add(itemClass, of(other), secret: Secret("second"))
        #expect(throws: KeychainError.self) {
            try keychain.add(itemClass, of(one), secret: Secret("again"))
        }
        #expect(try keychain.found(of(one), itemClass).map(\.secret) == ["first"])
        try keychain.update(Query(itemClass, of(one)), secret: Secret("changed"))
        #expect(try keychain.found(of(one), itemClass).map(\.secret) == ["changed"])
        var all = ItemAttributes()
        all.accessGroup = group
        #expect(try keychain.found(all, itemClass).map(\.secret) == ["changed", "second"])
        try keychain.delete(Query(itemClass, of(one)))
        #expect(try keychain.found(all, itemClass).map(\.secret) == ["second"])
    }

    @Test func hostsWithAndWithoutAPortAreApart() throws {
        let keychain = try makeKeychain()
        for host in ["example.com", "[::1]"] as [ByteString] {
            try keychain.add(.internetPassword, .git(host), secret: Secret("plain"))
            try keychain.add(.internetPassword, .git(host, port: 8443), secret: Secret("port"))
            #expect(try keychain.found(.git(host, port: 0)).map(\.secret) == ["plain"])
            #expect(try keychain.found(.git(host, port: 8443)).map(\.secret) == ["port"])
            #expect(try keychain.found(.git(host)).count == 2)
        }
        try keychain.delete(Query(.internetPassword, .git("[::1]", port: 8443)))
        #expect(try keychain.found(ItemAttributes()).count == 3)
    }

    /// KeePassXC never removes an attribute, and shows one of its own of a secret that is no text.
    @Test func whatIsTakenAwayIsGone() throws {
        let keychain = try makeKeychain("login")
        var attributes = ItemAttributes.login("mail", account: "me")
        attributes.comment = "-"
        attributes.generic = "\0"
        attributes.accessible = .afterFirstUnlock
        try keychain.add(.genericPassword, attributes, secret: Secret(copying: [0xFF].span))
        var changes = ItemAttributes()
        changes.comment = "a\nb"
        changes.generic = "text"
        changes.accessible = .whenUnlocked
        let query = Query(.genericPassword, .login("mail", account: "me"))
        #expect(try keychain.found(query.attributes, .genericPassword)[0].attributes.comment == "-")
        for secret in ["text", "other"] {
            try keychain.update(query, changes, secret: Secret(secret))
            let item = try keychain.found(query.attributes, .genericPassword)[0]
            #expect(item.secret == secret)
            #expect(item.attributes.comment == changes.comment)
            #expect(item.attributes.generic == changes.generic)
            #expect(item.attributes.accessible == .whenUnlocked)
            changes.comment = "-"
            changes.generic = ""
        }
    }

    /// Texts, some of which KeePassXC would put something else for, and what is no text.
    ///
    /// Missing is `{REF:P@T:x}`, a reference to another entry's password: KeePassXC 2.7.4 refuses to make
    /// an item with it, which is an error and no loss.
    private static let secrets: [[UInt8]] =
        [
            "", "p", "one\ntwo\n", " spaces \t", "caf\u{E9} \u{1F511}", "<&>\"'", "\r", "a\r\nb",
            "\u{1}\u{7F}", "a\0b", "{TITLE}", "{USERNAME}:{PASSWORD}", "{}", "{S:service}",
            "{T-REPLACE-RX:/a/b/c/}", String(repeating: "x", count: 70_000), "\u{FFFE}",
        ].map { Array($0.utf8) } + [[0xFF, 0xFE, 0], Array(0...255)]

    @Test func secretsComeBack() throws {
        let service = try KeePassXCTests.service.get()
        let keychain = try makeKeychain("login")
        for (number, secret) in KeePassXCTests.secrets.enumerated() {
            try keychain.add(
                .genericPassword, account(number), secret: Secret(copying: secret.span))
        }
        try expectSecrets(keychain)
        for (number, secret) in KeePassXCTests.secrets.reversed().enumerated() {
            try keychain.update(
                Query(.genericPassword, account(number)), secret: Secret(copying: secret.span))
        }
        for (number, secret) in KeePassXCTests.secrets.enumerated() {
            try keychain.update(
                Query(.genericPassword, account(number)), secret: Secret(copying: secret.span))
        }
        try expectSecrets(keychain)
        // Locked, it is saved.
        try service.makeStore().lock()
        service.kill()
        try service.start(.unlocked)
        try expectSecrets(Keychain(service.makeStore(), accessGroups: .all()))
    }

    private func account(_ number: Int) -> ItemAttributes {
        let odd: [ByteString] = ["{USERNAME}", "a*b", "(x|y)", "caf\u{E9}", "-", " ", "\r"]
        return .login("mail", account: number < odd.count ? odd[number] : ByteString("\(number)"))
    }

    private func expectSecrets(_ keychain: Keychain) throws {
        for (number, secret) in KeePassXCTests.secrets.enumerated() {
            var found: [[UInt8]] = []
            let query = Query(.genericPassword, account(number), returns: .data)
            try keychain.forEachMatch(query) { item throws(KeychainError) in
                switch item.secret {
                case .some(let secret):
                    found.append(secret.withBytes { span in span.indices.map { span[$0] } })
                case .none: break
                }
                return .next
            }
            let isSame = found == [secret]
            #expect(isSame, "\(String(decoding: secret.prefix(40), as: UTF8.self))")
        }
    }

    @Test func lockedItSaysSo() throws {
        let service = try PrivateKeePassXC()
        let query = Query(.internetPassword, .git("example.com"), returns: .data)
        try Keychain(service.makeStore(), accessGroups: .all()).add(
            .internetPassword, .git("example.com"), secret: Secret("s"))
        try service.makeStore().lock()
        for isFresh in [false, true] {
            if isFresh {
                service.kill()
                try service.start(.locked)
            }
            let store = service.makeStore()
            let keychain = Keychain(store, accessGroups: .all())
            #expect(try store.isLocked())
            expectFailure(.interactionNotAllowed) { try keychain.copyMatching(query) }
            expectFailure(.interactionNotAllowed) {
                try keychain.add(.internetPassword, .git("new"), secret: Secret("s"))
            }
            expectFailure(.interactionNotAllowed) {
                try keychain.update(query, secret: Secret("x"))
            }
            expectFailure(.interactionNotAllowed) {
                try keychain.delete(Query(.internetPassword, .git("example.com")))
            }
            expectFailure(.interactionNotAllowed) { try store.unlock() }
        }
        service.kill()
        try service.start(.unlocked)
        #expect(
            try Keychain(service.makeStore(), accessGroups: .all()).found(.git("example.com")).map(
                \.secret) == ["s"])
    }
}
#endif
