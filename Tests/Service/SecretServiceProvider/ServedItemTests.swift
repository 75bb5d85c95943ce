#if SecretService
import KeychainServices
import TestSupport
import SecretServiceStore
import Testing

@testable import SecretServiceProvider

@Suite struct ServedItemTests {
    private static let texts: [ByteString] = [
        "", "a", "S", "https", "example.com", "443", "A (2)", "\u{1F511}", "\n\"\\\u{1}", "-",
        "org.git.Password", "org.freedesktop.Secret.Generic", "io.docker.Credentials",
    ]

    private static let names: [ByteString] = [
        "service", "account", "username", "server", "protocol", "user", "port", "object",
        "docker_cli", "label", "xdg:schema", "application", "", "lanyard:class", "\n",
    ]

    /// What a client describes is what it reads, whatever form is chosen for it.
    @Test func randomAttributesAreReadBack() throws {
        var random = SeededRandom()
        for _ in 0..<5_000 {
            var attributes: [ByteString: ByteString] = [:]
            for _ in 0..<random.number(below: 6) {
                attributes[random.element(of: Self.names)] = random.element(of: Self.texts)
            }
            let label = random.element(of: Self.texts + ["Git: https://example.com/"])
            let contentType = random.element(
                of: ["text/plain", "application/json"] as [ByteString])
            let number = 1 + random.number(below: 3)
            let (itemClass, stored) = ServedItem.stored(
                attributes, label: label, contentType: contentType, number: number)
            let reference = ItemReference(itemClass: itemClass, id: .random())
            let item = try #require(ServedItem(reference, stored))
            #expect(item.compared == ServedItem.compared(attributes), "\(stored)")
            #expect(item.label == label)
            #expect(item.contentType == contentType)
        }
    }

    @Test func formOfOtherProgramsIsReadBack() throws {
        var random = SeededRandom()
        for _ in 0..<2_000 {
            var attributes: [ByteString: ByteString] = [:]
            for _ in 0..<random.number(below: 5) {
                let bytes = String(decoding: random.bytes(random.number(below: 20)), as: UTF8.self)
                attributes[ByteString(bytes)] = random.element(of: Self.texts)
            }
            let type = random.element(of: Self.texts)
            let stored = OtherItem(attributes: attributes, contentType: type)
                .stored(label: "l", number: 1)
            let read = try #require(stored.generic.flatMap { OtherItem($0) })
            #expect(read.attributes == attributes)
            #expect(read.contentType == type)
        }
    }

    @Test(
        arguments: [
            "", "{", "{}", "[]", "null", #"{"attributes":{}}"#, #"{"contentType":1}"#,
            #"{"attributes":[],"contentType":"a"}"#, #"{"attributes":{"a":1},"contentType":"a"}"#,
            #"{"attributes":{},"contentType":"a"}x"#,
        ])
    func otherDataIsNone(_ text: String) {
        #expect(OtherItem(ByteString(text)) == nil)
    }

    /// An item in Lanyard's form, but of a class that it does not know, can't be written anew.
    @Test func unknownClassIsNoItemOfOurs() {
        for (code, isKnown) in [("genp", true), ("cezt", false), ("idnt", false)] {
            let item = RemoteItem(
                path: "/1", label: "a\u{E}",
                attributes: ["xdg:schema": "lanyard.Item", "lanyard:class": ByteString(code)],
                created: 0, modified: 0)
            #expect((LanyardSchema.decode(item) != nil) == isKnown)
        }
    }

    @Test func damagedDataNeverCrashes() throws {
        var random = SeededRandom()
        let data = try #require(
            OtherItem(attributes: ["a": "\u{1F511}", "b\n": ""], contentType: "text/plain")
                .stored(label: "", number: 1).generic)
        for _ in 0..<5_000 {
            _ = OtherItem(ByteString(random.mutated(data.bytes)))
        }
    }

    /// What `lanyard list` shows of other programs' items.
    @Test(
        arguments: [
            (["service": "S", "username": "A"], "S", "A"),
            (["application": "chromium"], "chromium", ""),
            (["xdg:schema": "org.example.Source", "uid": "1"], "org.example.Source", ""),
            (["server": "example.com", "user": "ada", "x": ""], "example.com", "ada"),
            (["x": "y"], "label", ""), ([:], "label", ""),
        ] as [([ByteString: ByteString], ByteString, ByteString)])
    func namesOfOtherProgramsItems(
        _ attributes: [ByteString: ByteString], _ service: ByteString, _ account: ByteString
    ) {
        let (itemClass, stored) = ServedItem.stored(
            attributes, label: "label", contentType: "text/plain")
        #expect(itemClass == .genericPassword)
        #expect(stored.accessGroup == OtherItem.group)
        #expect(stored.service == service)
        #expect(stored.account == account)
        let (_, second) = ServedItem.stored(
            attributes, label: "label", contentType: "text/plain", number: 2)
        #expect(second.account?.description.hasSuffix(" (2)") == true)
    }

    @Test func itemsOfGitDockerAndLanyardKeepTheirForm() {
        let git = ServedItem.stored(
            [
                "xdg:schema": "org.git.Password", "protocol": "https", "server": "example.com",
                "user": "ada",
            ], label: "Git: https://example.com/", contentType: "text/plain")
        #expect(git.itemClass == .internetPassword)
        #expect(git.attributes.accessGroup == "git")
        let docker = ServedItem.stored(
            [
                "xdg:schema": "io.docker.Credentials", "label": "Docker Credentials",
                "docker_cli": "1", "server": "https://index.docker.io/v1/", "username": "ada",
            ], label: "Docker Credentials", contentType: "text/plain")
        #expect(docker.itemClass == .internetPassword)
        #expect(docker.attributes.accessGroup == "docker")
        let login = ServedItem.stored(
            ["service": "S", "account": "A"], label: "l", contentType: "text/plain")
        #expect(login.itemClass == .genericPassword)
        #expect(login.attributes.accessGroup == "login")
    }

    /// As the keys of a team's device and what was moved out of files.
    @Test func whatListsOmitIsNotServed() {
        var attributes = ItemAttributes()
        attributes.service = "s"
        let reference = ItemReference(itemClass: .genericPassword, id: .random())
        #expect(ServedItem(reference, attributes) != nil)
        attributes.isInvisible = true
        #expect(ServedItem(reference, attributes) == nil)
    }

    @Test func certificatesAndKeysAreNotServed() {
        for itemClass in [ItemClass.certificate, .key, .identity] {
            #expect(
                ServedItem(ItemReference(itemClass: itemClass, id: .random()), ItemAttributes())
                    == nil)
        }
    }
}
#endif
