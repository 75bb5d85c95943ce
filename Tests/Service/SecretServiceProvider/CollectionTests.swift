#if SecretService
import KeychainServices
import TestSupport
import SecretServiceStore
import Testing

@testable import SecretServiceProvider

/// A collection in memory: what a client stores is what all clients find.
@Suite struct CollectionTests {
    private typealias Attributes = [ByteString: ByteString]

    private let collection = Collection(name: "test", MemorySource())

    @discardableResult
    private func store(
        _ attributes: [ByteString: ByteString], label: ByteString = "label",
        contentType: ByteString = "text/plain", secret: String = "geheim", replaces: Bool = false
    ) throws -> ItemID {
        let id = try collection.store(
            attributes, label: label, contentType: contentType, secret: Secret(secret),
            replaces: replaces, nil)
        _ = collection.refresh()
        return id
    }

    private func secret(_ id: ItemID) throws -> String {
        String(decoding: try collection.secret(id, nil).bytes, as: UTF8.self)
    }

    /// The forms that clients use, and some near to them.
    static let forms: [[ByteString: ByteString]] = [
        [:], ["service": "S"], ["service": "S", "account": "A"], ["service": "", "account": "A"],
        ["service": "S", "account": ""], ["account": "A"],
        ["service": "S", "account": "A", "xdg:schema": "org.freedesktop.Secret.Generic"],
        ["xdg:schema": "org.freedesktop.Secret.Generic"],
        ["service": "S", "username": "A", "target": "default"],
        [
            "xdg:schema": "org.git.Password", "protocol": "https", "server": "example.com",
            "user": "ada",
        ],
        ["xdg:schema": "org.git.Password", "protocol": "https", "server": "example.com"],
        ["xdg:schema": "org.git.Password", "server": "example.com", "user": "ada"],
        [
            "xdg:schema": "org.git.Password", "protocol": "https", "server": "example.com",
            "port": "8443", "user": "ada", "object": "a/b.git",
        ],
        [
            "xdg:schema": "org.git.Password", "protocol": "https", "server": "example.com",
            "port": "08443", "user": "ada",
        ],
        [
            "xdg:schema": "org.gnome.keyring.NetworkPassword", "protocol": "smb",
            "server": "example.com", "user": "ada", "domain": "D",
        ],
        [
            "xdg:schema": "io.docker.Credentials", "label": "Docker Credentials",
            "docker_cli": "1", "server": "https://index.docker.io/v1/", "username": "ada",
        ],
        [
            "xdg:schema": "io.docker.Credentials", "label": "Docker Credentials",
            "docker_cli": "1", "server": "registry.example", "username": "",
        ],
        [
            "xdg:schema": "io.docker.Credentials", "label": "other", "docker_cli": "1",
            "server": "registry.example", "username": "ada",
        ],
        ["application": "chromium", "xdg:schema": "chrome_libsecret_os_crypt_password_v2"],
        ["": ""], ["a": ""], ["": "b"], ["a\n": "b\u{1}"], ["schl\u{FC}ssel": "\u{1F511}"],
        ["lanyard:class": "genp", "xdg:schema": "lanyard.Item"],
        ["service": "S", "account": "A (2)"], ["service": "S", "lanyard:x": "y"],
    ]

    static let labels: [ByteString] = [
        "", "label", "Git: https://ada@example.com/", "l\n\u{1F511}",
    ]

    @Test(arguments: forms)
    func whatIsStoredIsFound(_ attributes: [ByteString: ByteString]) throws {
        for label in Self.labels {
            for contentType: ByteString in ["text/plain", "application/octet-stream", ""] {
                let id = try store(attributes, label: label, contentType: contentType)
                let item = try collection.item(id)
                #expect(item.compared == ServedItem.compared(attributes))
                #expect(item.label == label)
                #expect(item.contentType == contentType)
                #expect(try secret(id) == "geheim")
                #expect(collection.catalog.search(attributes).contains(id))
                #expect(collection.catalog.item(withExactly: attributes)?.reference.id == id)
                try collection.delete(id, nil)
                _ = collection.refresh()
                #expect(collection.catalog[id] == nil)
            }
        }
    }

    @Test(arguments: forms)
    func replacementKeepsTheItem(_ attributes: [ByteString: ByteString]) throws {
        let id = try store(attributes, secret: "old")
        #expect(
            try store(attributes, label: "new label", secret: "new", replaces: true) == id)
        #expect(try collection.item(id).label == "new label")
        #expect(try secret(id) == "new")
        #expect(collection.catalog.ids == [id])
        // An item of git's or docker's has no place for another content type: it becomes another item.
        let isRemote = try collection.item(id).reference.itemClass == .internetPassword
        let other = try store(
            attributes, contentType: "application/json", secret: "third", replaces: true)
        #expect((other == id) != isRemote)
        #expect(try collection.item(other).contentType == "application/json")
        #expect(try collection.item(other).compared == ServedItem.compared(attributes))
        #expect(try secret(other) == "third")
        #expect(try store(attributes, label: "", secret: "last", replaces: true) == other)
        #expect(try collection.item(other).contentType == "text/plain")
        #expect(try secret(other) == "last")
        #expect(collection.catalog.ids == [other])
    }

    @Test(arguments: forms)
    func likeItemsAreItemsOfTheirOwn(_ attributes: [ByteString: ByteString]) throws {
        let ids = try (0..<20).map { try store(attributes, secret: "secret \($0)") }
        #expect(Set(ids).count == 20)
        #expect(Set(collection.catalog.search(attributes)) == Set(ids))
        for (number, id) in ids.enumerated() {
            #expect(try secret(id) == "secret \(number)")
            #expect(try collection.item(id).compared == ServedItem.compared(attributes))
        }
    }

    /// Many programs have one service, no account, and tell their items apart by other attributes.
    @Test func manyItemsOfOneProgram() throws {
        var ids: Set<ItemID> = []
        for number in 0..<1_000 {
            let attributes: [ByteString: ByteString] = [
                "xdg:schema": "org.example.Source", "uid": ByteString(String(number)),
            ]
            ids.insert(
                try collection.store(
                    attributes, label: "", contentType: "text/plain", secret: Secret("x"),
                    replaces: false, nil))
        }
        _ = collection.refresh()
        #expect(ids.count == 1_000)
        #expect(collection.catalog.search(["uid": "999"]).count == 1)
        // What is in memory alone takes no more of them.
        #expect(throws: BusError.self) { try store([:]) }
        try store(["xdg:schema": "org.example.Source", "uid": "1"], replaces: true)
        #expect(throws: BusError.self) {
            try store([:], secret: String(repeating: "a", count: 65_537), replaces: true)
        }
    }

    /// Two items that differ only in an attribute that the keychain does not tell items apart by.
    @Test func secondOfTwoAlikeCanBeChanged() throws {
        let first = try store(["service": "S", "account": "A", "x": "1"], secret: "1")
        let second = try store(["service": "S", "account": "A", "x": "2"], secret: "2")
        try collection.setSecret(second, Secret("3"), contentType: "application/json", nil)
        _ = collection.refresh()
        #expect(try collection.item(second).contentType == "application/json")
        try collection.change(second, attributes: ["service": "S", "account": "A", "x": "3"])
        try collection.change(second, label: "new")
        _ = collection.refresh()
        #expect(try collection.item(second).attributes["x"] == "3")
        #expect(try collection.item(second).label == "new")
        #expect(try (secret(first), secret(second)) == ("1", "3"))
        // Until they say the same.
        try collection.change(second, attributes: ["service": "S", "account": "A", "x": "1"])
        _ = collection.refresh()
        #expect(
            collection.catalog.search(["service": "S", "account": "A", "x": "1"]).count == 2)
    }

    @Test func attributesChangeFromEachFormToEachOther() throws {
        for old in Self.forms {
            for new in Self.forms {
                let id = try store(old)
                do throws(BusError) {
                    try collection.change(id, attributes: new)
                    _ = collection.refresh()
                    let item = try collection.item(id)
                    #expect(item.compared == ServedItem.compared(new), "\(old) to \(new)")
                } catch {
                    // An item of git's or docker's stays one.
                    #expect(error.name == "org.freedesktop.DBus.Error.InvalidArgs")
                    #expect(try collection.item(id).reference.itemClass == .internetPassword)
                    #expect(try collection.item(id).compared == ServedItem.compared(old))
                }
                #expect(try secret(id) == "geheim")
                try collection.delete(id, nil)
                _ = collection.refresh()
            }
        }
    }

    /// Random calls, beside a model of what the specification says of them.
    @Test func randomCallsAgreeWithAModel() throws {
        struct Entry {
            var attributes: [ByteString: ByteString]
            var label: ByteString
            var secret: String
        }
        var random = SeededRandom()
        var model: [ItemID: Entry] = [:]
        for step in 0..<600 {
            var attributes: [ByteString: ByteString] =
                random.chance(30)
                ? random.element(of: Self.forms) : [:]
            for _ in 0..<random.number(below: 3) {
                attributes[random.element(of: ["service", "account", "x", "y", "user"])] =
                    random.element(of: ["", "1", "2", "\u{1F511}"])
            }
            let label = random.element(of: Self.labels)
            let known = model.keys.sorted()
            switch random.number(below: known.isEmpty ? 2 : 5) {
            case 0, 1:
                let replaces = random.chance(50)
                let same = model.filter {
                    ServedItem.compared($0.value.attributes) == ServedItem.compared(attributes)
                }
                let id = try store(
                    attributes, label: label, secret: "\(step)", replaces: replaces)
                if replaces, !same.isEmpty {
                    #expect(same[id] != nil, "a replacement made another item")
                } else {
                    #expect(model[id] == nil)
                }
                model[id] = Entry(attributes: attributes, label: label, secret: "\(step)")
            case 2:
                let id = random.element(of: known)
                try collection.delete(id, nil)
                model[id] = nil
            case 3:
                let id = random.element(of: known)
                try collection.setSecret(id, Secret("\(step)"), contentType: "text/plain", nil)
                model[id]?.secret = "\(step)"
            default:
                let id = random.element(of: known)
                try collection.change(id, label: label)
                model[id]?.label = label
            }
            _ = collection.refresh()
            #expect(Set(collection.catalog.ids) == Set(model.keys))
            let wanted = ServedItem.compared(attributes)
            #expect(
                Set(collection.catalog.search(attributes))
                    == Set(
                        model.filter { entry in
                            let compared = ServedItem.compared(entry.value.attributes)
                            return wanted.allSatisfy { compared[$0.key] == $0.value }
                        }.keys))
        }
        for (id, entry) in model {
            #expect(try collection.item(id).label == entry.label)
            #expect(try secret(id) == entry.secret)
        }
    }

    @Test func giantSecretsAndAttributesAreRefused() throws {
        let giant = ByteString([UInt8](repeating: 0x61, count: 3 << 20))
        #expect(throws: BusError.self) { try store(["a": giant]) }
        #expect(throws: BusError.self) { try store(["service": giant]) }
        #expect(throws: BusError.self) { try store([:], label: giant) }
        do {
            try store([:], secret: String(repeating: "a", count: 3 << 20))
            Issue.record("a giant secret is taken")
        } catch let error as BusError {
            #expect(error.name == "org.freedesktop.DBus.Error.LimitsExceeded")
        }
        #expect(collection.catalog.ids.isEmpty)
    }
}
#endif
