#if SecretService
import KeychainServices
import TestSupport
import Testing

@testable import SecretServiceStore

@Suite("git-credential-libsecret and the store read one another", .serialized)
struct GitInterchangeTests {
    let service: PrivateSecretService
    let keychain: Keychain

    init() throws {
        service = try PrivateSecretService()
        keychain = Keychain(service.makeStore(), accessGroups: .all(addingTo: "git"))
    }

    private func helper(
        _ operation: String, _ request: String, _ helper: LibsecretHelper = .new
    ) throws -> String {
        try service.run(helper.path, operation, input: request).output
    }

    @Test(.enabled(if: LibsecretHelper.isThere), arguments: LibsecretHelper.allCases)
    func findsWhatTheHelperStored(_ version: LibsecretHelper) throws {
        _ = try helper(
            "store",
            "protocol=https\nhost=example.com:8443\npath=a/b.git\nusername=me\npassword=s\n",
            version)
        let items = try keychain.found(.git("example.com", port: 8443, path: "a/b.git"))
        #expect(items.map(\.secret) == ["s"])
        #expect(items.first?.attributes.label == "Git: https://example.com:8443/a/b.git")
        #expect(items.first?.attributes.accessible == .whenUnlocked)
        #expect(items.first?.attributes.creationDate != nil)
    }

    @Test(.enabled(if: LibsecretHelper.isThere), arguments: LibsecretHelper.allCases)
    func theHelperFindsWhatIsStored(_ version: LibsecretHelper) throws {
        try keychain.add(
            .internetPassword, .git("example.com", port: 8443), secret: Secret("one\ntwo"))
        let answer = try helper("get", "protocol=https\nhost=example.com:8443\n", version)
        #expect(answer.hasPrefix("username=me\npassword=one\n"), "\(answer)")
    }

    /// Each helper stores under its own name, which may store a login twice.
    @Test(.enabled(if: LibsecretHelper.isThere))
    func aLoginThatIsThereTwiceIsChangedAndDeletedAsOne() throws {
        let request = "protocol=https\nhost=example.com\nusername=me\n"
        try keychain.add(.internetPassword, .git("example.com"), secret: Secret("old"))
        _ = try helper("store", request + "password=newer\n")
        #expect(try keychain.found(.git("example.com")).count == 2)
        try keychain.update(Query(.internetPassword, .git("example.com")), secret: Secret("last"))
        for version in LibsecretHelper.allCases {
            #expect(try helper("get", request, version).contains("password=last\n"))
        }
        _ = try helper("store", request + "password=again\n")
        #expect(try keychain.found(.git("example.com")).count == 2)
        try keychain.delete(Query(.internetPassword, .git("example.com")))
        #expect(try !helper("get", request).contains("password"))
    }

    /// Any program can store a server's name in another letter case than git does.
    @Test(.enabled(if: isInstalled("secret-tool")))
    func aNameInAnotherLetterCaseIsFound() throws {
        for number in 0..<12 {
            try keychain.add(
                .internetPassword, .git(ByteString("host-\(number).example")), secret: Secret("no"))
        }
        try service.run(
            "secret-tool", "store", "--label=Git: https://Example.COM/", "xdg:schema",
            "org.gnome.keyring.NetworkPassword", "protocol", "https", "server", "Example.COM",
            "user", "me", input: "yes")
        var query = Query(.internetPassword, .git("example.com"), returns: .attributes)
        query.match.caseInsensitive = true
        var servers: [ByteString?] = []
        try keychain.forEachMatch(query) { item throws(KeychainError) in
            servers.append(item.attributes?.server)
            return .next
        }
        #expect(servers == ["Example.COM"])
    }

    @Test(.enabled(if: isInstalled("secret-tool")))
    func theItemIsGitsByteForByte() throws {
        var attributes = ItemAttributes.git("example.com", port: 8443, path: "a.git")
        attributes.label = "Git: https://example.com:8443/a.git"
        try keychain.add(.internetPassword, attributes, secret: Secret("s"))
        let shown = try service.run("secret-tool", "search", "--all", "server", "example.com")
            .output
        var lines = Set(shown.split(separator: "\n").map(String.init))
        lines = lines.filter { !$0.hasPrefix("[") && !$0.contains("created =") }
        #expect(lines.contains("label = Git: https://example.com:8443/a.git"))
        #expect(lines.contains("secret = s"))
    }

    @Test func hasGitsAttributesAndOneMore() throws {
        var given = ItemAttributes.git("example.com", port: 8443, path: "a.git")
        given.accessible = .whenUnlocked
        given.label = "Git: https://example.com:8443/a.git"
        let written = WrittenItem(
            adding: .internetPassword, given, SecretBox(Secret("s")), changed: 7)
        #expect(written.label == "Git: https://example.com:8443/a.git")
        #expect(
            written.attributes == [
                "xdg:schema": "org.gnome.keyring.NetworkPassword", "protocol": "https",
                "server": "example.com",
                "port": "8443", "user": "me", "object": "a.git", "lanyard:changed": "7",
            ])
    }

    @Test(.enabled(if: LibsecretHelper.isThere))
    func anotherPortIsAnotherServer() throws {
        _ = try helper(
            "store", "protocol=https\nhost=example.com:8443\nusername=me\npassword=other\n")
        var wanted = ItemAttributes.git("example.com")
        wanted.port = 0
        #expect(try keychain.found(wanted).isEmpty)
        expectFailure(.itemNotFound) { try keychain.delete(Query(.internetPassword, wanted)) }
        try keychain.add(.internetPassword, .git("example.com"), secret: Secret("plain"))
        try keychain.add(.internetPassword, .git("example.com", path: "p"), secret: Secret("path"))
        #expect(try keychain.found(.git("example.com", port: 8443)).map(\.secret) == ["other"])
        #expect(try keychain.found(wanted).map(\.secret).sorted() == ["path", "plain"])
        try keychain.delete(Query(.internetPassword, wanted))
        #expect(try keychain.found(.git("example.com")).map(\.secret) == ["other"])
    }

    @Test func addressesOfVersionSixStayWhole() throws {
        try keychain.add(.internetPassword, .git("[::1]"), secret: Secret("plain"))
        try keychain.add(.internetPassword, .git("[::1]", port: 8080), secret: Secret("port"))
        #expect(try keychain.found(.git("[::1]", port: 8080)).map(\.secret) == ["port"])
        #expect(try keychain.found(.git("[::1]")).count == 2)
    }

    @Test(.enabled(if: LibsecretHelper.isThere), arguments: LibsecretHelper.allCases)
    func changesTheHelpersItemInItsPlace(_ version: LibsecretHelper) throws {
        let request = "protocol=https\nhost=example.com\nusername=me\n"
        _ = try helper("store", request + "password=old\n", version)
        try keychain.update(Query(.internetPassword, .git("example.com")), secret: Secret("new"))
        #expect(try helper("get", request, version) == "username=me\npassword=new\n")
        _ = try helper("store", request + "password=newer\n", version)
        #expect(try keychain.found(.git("example.com")).map(\.secret) == ["newer"])
        _ = try helper("erase", request, version)
        #expect(try keychain.found(.git("example.com")).isEmpty)
    }

    /// The form that git-credential-libsecret had before it had a schema of its own can't express all.
    @Test(.enabled(if: isInstalled("secret-tool")))
    func whatTheOldFormCanNotExpressIsWrittenInAnother() throws {
        var (account, label, group, comment) = (
            ItemAttributes(), ItemAttributes(), ItemAttributes(), ItemAttributes()
        )
        account.account = "a\nb"
        label.label = "mine"
        group.accessGroup = "login"
        comment.comment = "mine"
        for (server, changes) in [
            ("a.example", account), ("b.example", label), ("c.example", group),
            ("d\u{1}.example", comment),
        ] as [(ByteString, ItemAttributes)] {
            try service.run(
                "secret-tool", "store", "--label=Git: https://\(server)/", "xdg:schema",
                "org.gnome.keyring.NetworkPassword", "protocol", "https", "server",
                server.description, "user", "me", input: "secret")
            #expect(try keychain.found(.git(server)).map(\.secret) == ["secret"])
            try keychain.update(Query(.internetPassword, .git(server)), changes)
            let wanted = ItemAttributes.git(server).merging(changes)
            #expect(try keychain.found(wanted).map(\.secret) == ["secret"], "\(server)")
        }
    }

    @Test(.enabled(if: isInstalled("secret-tool")))
    func otherProgramsItemsStayUntouched() throws {
        try service.run(
            "secret-tool", "store", "--label=x", "xdg:schema", "chrome_libsecret_os_crypt",
            "server", "example.com", "protocol", "https", input: "theirs")
        #expect(try keychain.found(ItemAttributes()).isEmpty)
        expectFailure(.itemNotFound) { try keychain.delete(Query(.internetPassword)) }
        #expect(
            try service.run("secret-tool", "lookup", "server", "example.com").output == "theirs")
    }
}
#endif
