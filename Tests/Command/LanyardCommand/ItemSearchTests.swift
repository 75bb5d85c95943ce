import KeychainServices
import TestSupport
import Testing

@testable import LanyardCommand

@Suite("the items that a name matches")
struct ItemSearchTests {
    private let keychain = Keychain(
        InMemoryStore { Timestamp(secondsSinceEpoch: 0) }, accessGroups: .all())

    /// Adds an item whose secret is its label.
    private func add(
        _ label: ByteString, _ itemClass: ItemClass = .internetPassword,
        _ fill: (inout ItemAttributes) -> Void
    ) throws {
        var attributes = ItemAttributes()
        attributes.label = label
        fill(&attributes)
        try keychain.add(itemClass, attributes, secret: Secret(copying: label.bytes.span))
    }

    /// The labels of all matches.
    private func matches(_ what: String) throws -> [ByteString] {
        let search = ItemSearch(name: try ItemName(what, account: nil), group: nil)
        var found: [ByteString] = []
        try search.forEach(in: keychain, returns: .reference) { _, attributes in
            found.append(attributes.label ?? "")
            return .next
        }
        return found
    }

    /// What `get` answers, nil for nothing.
    private func answer(
        _ what: String, _ account: String? = nil, group: ByteString? = nil,
        synchronizable: Bool? = nil, isForReading: Bool = true
    ) throws -> String? {
        var search = ItemSearch(name: try ItemName(what, account: account), group: group)
        search.synchronizable = synchronizable
        search.isForReading = isForReading
        let item = try search.one(what, in: keychain, nil, returns: .data) { match in
            "lanyard get \(match.arguments)"
        }
        guard let item else {
            return nil
        }
        let label = item.attributes?.label ?? ""
        let isRight = item.has(Secret(label.description))
        #expect(isRight)
        return label.description
    }

    private func error(
        _ what: String, _ account: String? = nil, group: ByteString? = nil,
        synchronizable: Bool? = nil
    ) throws -> String {
        var search = ItemSearch(name: try ItemName(what, account: account), group: group)
        search.synchronizable = synchronizable
        search.isForReading = true
        let error = search.nothing(what, in: keychain)
        #expect(error.status == .itemNotFound)
        return "\(error.reason); \(error.hint ?? "")"
    }

    @Test("a user in the URL changes nothing in which item is meant")
    func withUser() throws {
        try add("docker") {
            $0.server = "localhost"
            $0.port = 18751
            $0.account = "ada"
            $0.accessGroup = "docker"
        }
        try add("git") {
            $0.server = "localhost"
            $0.port = 18751
            $0.protocol = .http
            $0.account = "ada"
            $0.accessGroup = "git"
        }
        for what in ["http://localhost:18751", "http://ada@localhost:18751"] {
            #expect(try answer(what) == "git")
        }
        #expect(try answer("localhost:18751") == "docker")
        #expect(try answer("http://ada@localhost:18751", group: "docker") == "docker")
    }

    @Test("a host without a scheme is found as list prints it")
    func withoutScheme() throws {
        try add("docker") {
            $0.server = "Localhost"
            $0.port = 5701
            $0.account = "ada"
        }
        try add("pass") {
            $0.server = "example.com"
            $0.account = "bob"
        }
        #expect(try answer("localhost:5701") == "docker")
        #expect(try answer("localhost:5701", "ada") == "docker")
        #expect(try answer("ada@localhost:5701") == "docker")
        #expect(try answer("localhost:5701", "bob") == nil)
        #expect(try answer("localhost") == nil)
        #expect(try answer("https://localhost:5701") == "docker")
        #expect(try answer("example.com") == "pass")
        #expect(try answer("example.com", group: "docker") == nil)
    }

    @Test("the user in an address of ssh is no account of cargo's token")
    func serversUser() throws {
        try add("token") {
            $0.accessGroup = "cargo"
            $0.protocol = .ssh
            $0.server = "git.example.com"
            $0.path = "index.git"
        }
        try add("other") {
            $0.protocol = .ssh
            $0.server = "git.example.com"
            $0.account = "eve"
        }
        #expect(try answer("ssh://git@git.example.com/index.git") == "token")
        #expect(try answer("ssh://git@git.example.com/index.git", group: "cargo") == "token")
        #expect(try answer("ssh://git@git.example.com/index.git", group: "askpass") == nil)
        #expect(try answer("https://git@git.example.com/index.git") == nil)
        #expect(try answer("ssh://git@git.example.com/other") == nil)
        // What has the account comes first, and alone.
        #expect(try matches("ssh://eve@git.example.com") == ["other"])
        #expect(try matches("ssh://git@git.example.com/index.git") == ["token"])
    }

    @Test("a host in any letter case is found once, the exact one first")
    func letterCase() throws {
        for server in ["Example.COM", "example.com", "EXAMPLE.com"] as [ByteString] {
            try add(server) { $0.server = server }
        }
        let found = try matches("https://example.com")
        #expect(found.first == "example.com")
        #expect(Set(found) == ["Example.COM", "example.com", "EXAMPLE.com"])
        #expect(found.count == 3)
    }

    @Test("an item without a host is found once")
    func withoutHost() throws {
        try add("none") {
            $0.protocol = .https
            $0.path = "x"
        }
        #expect(try matches("https:///x") == ["none"])
    }

    @Test("a service comes before a host of the same name")
    func serviceFirst() throws {
        try add("host") { $0.server = "example.com" }
        try add("service", .genericPassword) { $0.service = "example.com" }
        try add("newer host") {
            $0.server = "example.com"
            $0.account = "x"
        }
        #expect(try answer("example.com") == "service")
        #expect(throws: KeychainError(.param)) { try answer("https://example.com") }
        #expect(try answer("https://example.com", "x") == "newer host")
    }

    /// What several matches say, with the hint.
    private func several(_ what: String, group: ByteString? = nil) -> String {
        let error = #expect(throws: KeychainError.self) { try answer(what, group: group) }
        #expect(error?.status == .param)
        return "\(error?.reason ?? ""); \(error?.hint ?? "")"
    }

    @Test("of several accounts none is given, unless one is the default")
    func severalAccounts() throws {
        func add(_ account: ByteString, isDefault: Bool = false, group: ByteString = "login") throws
        {
            try self.add(account, .genericPassword) {
                $0.service = "stripe"
                $0.account = account
                $0.accessGroup = group
                $0.type = isDefault ? ItemAttributes.defaultType : nil
            }
        }
        try add("live")
        #expect(try answer("stripe") == "live")
        try add("te st")
        #expect(
            several("stripe")
                == "2 items match 'stripe': 'live'; 'te st'; "
                + "lanyard get stripe 'te st', or lanyard edit stripe 'te st' --default")
        #expect(try answer("stripe", "live") == "live")
        try add("main", isDefault: true)
        #expect(try answer("stripe") == "main")
        try add("other", isDefault: true, group: "work")
        #expect(
            several("stripe")
                == "4 items match 'stripe': 'live', group 'login'; 'main', group 'login'; "
                + "'other', group 'work'; 'te st', group 'login'; lanyard get --group work stripe other, or "
                + "lanyard edit stripe other --default")
        #expect(try answer("stripe", group: "login") == "main")
    }

    @Test("of several ports and paths none is given")
    func severalPaths() throws {
        for path in ["a", "b"] as [ByteString] {
            try add(path) {
                $0.server = "example.com"
                $0.protocol = .https
                $0.path = path
                $0.account = "ada"
            }
        }
        #expect(
            several("https://example.com")
                == "2 items match 'https://example.com': 'https://example.com/a' of 'ada'; "
                + "'https://example.com/b' of 'ada'; lanyard get https://example.com/b, or "
                + "lanyard edit https://example.com/b --default")
        #expect(try answer("https://example.com/a") == "a")
    }

    @Test("a host with a scheme needs it in its name")
    func withScheme() throws {
        try add("https") {
            $0.server = "example.com"
            $0.protocol = .https
        }
        #expect(try answer("example.com") == nil)
        #expect(try answer("http://example.com") == nil)
        #expect(try answer("https://example.com") == "https")
    }

    @Test("a service that looks like a URL is found by it")
    func serviceLikeURL() throws {
        try add("token", .genericPassword) { $0.service = "https://example.com/a" }
        #expect(try answer("https://example.com/a") == "token")
        #expect(try answer("https://example.com") == nil)
    }

    @Test("of several paths, the exact name comes first")
    func exactPath() throws {
        try add("whole") {
            $0.server = "example.com"
            $0.protocol = .https
        }
        try add("part") {
            $0.server = "example.com"
            $0.protocol = .https
            $0.path = "a"
        }
        #expect(try answer("https://example.com") == "whole")
        #expect(try answer("https://example.com/a") == "part")
        #expect(try answer("https://example.com/b") == nil)
    }

    @Test("a URL without a path means the items without one, in every walk")
    func withoutPath() throws {
        for path in [nil, "login", "rust-lang/index"] as [ByteString?] {
            try add(path ?? "whole") {
                $0.server = "Example.com"
                $0.protocol = .https
                $0.path = path
                $0.account = "ada"
                $0.accessGroup = path == "rust-lang/index" ? "cargo" : "git"
            }
        }
        for what in ["https://Example.com", "https://example.com", "https://ada@example.com/"] {
            #expect(try matches(what) == ["whole"])
            #expect(try answer(what) == "whole")
        }
        #expect(try matches("https://example.com/login") == ["login"])
        #expect(try answer("https://example.com", group: "cargo") == "rust-lang/index")
        try add("other") {
            $0.server = "other.example.com"
            $0.protocol = .https
            $0.path = "a"
        }
        #expect(try matches("https://other.example.com") == ["other"])
    }

    @Test("twins differ by synchronizable")
    func synchronizable() throws {
        try add("here", .genericPassword) { $0.service = "x" }
        try add("everywhere", .genericPassword) {
            $0.service = "x"
            $0.synchronizable = true
        }
        #expect(try answer("x", synchronizable: false) == "here")
        #expect(try answer("x", synchronizable: true) == "everywhere")
        #expect(
            several("x")
                == "2 items match 'x': no account; no account, synchronizable; "
                + "lanyard get x --synchronizable, or lanyard edit x --synchronizable --default")
    }

    @Test("a negative item neither answers nor hides another")
    func negative() throws {
        try add("one", .genericPassword) { $0.service = "x" }
        try add("none", .genericPassword) {
            $0.service = "x"
            $0.account = "ada"
            $0.isNegative = true
        }
        #expect(try answer("x") == "one")
        #expect(try answer("x", "ada") == nil)
        #expect(try answer("x", "ada", isForReading: false) == "none")
        #expect(
            try error("x", "ada")
                == "'x' is marked as having no password; "
                + "lanyard set gives it one, lanyard edit --no-negative removes the mark")
    }

    @Test("the error names the missing item")
    func nothing() throws {
        for account in ["", "ada", "bob"] as [ByteString] {
            try add("db2", .genericPassword) {
                $0.service = "db2"
                $0.account = account
            }
        }
        try add("one", .genericPassword) { $0.service = "one" }
        for number in 0..<7 {
            try add("many", .genericPassword) {
                $0.service = "many"
                $0.account = ByteString("a\(number)")
            }
        }
        #expect(
            try error("db2", "pin")
                == "'db2' has no account 'pin'; it has the accounts 'ada', 'bob'")
        #expect(
            try error("one", "pin")
                == "'one' has no account 'pin'; it has none: leave the account out")
        #expect(
            try error("many", "pin")
                == "'many' has no account 'pin'; it has the accounts 'a0', 'a1', 'a2', 'a3', 'a4', …"
        )
        #expect(try error("db3", "pin") == "item 'db3' not found; did you mean 'db2'?")
        #expect(try error("elsewhere", "pin") == "item 'elsewhere' not found; see lanyard list")
        #expect(
            try error("db2", group: "git")
                == "the group 'git' has no item 'db2'; it is in the group 'login'")
        #expect(
            try error("one", synchronizable: true)
                == "'one' is not synchronizable; leave --synchronizable out")
    }

    @Test("a host without a scheme, whose login has one")
    func host() throws {
        try add("url") {
            $0.server = "git.example.com"
            $0.protocol = .https
        }
        #expect(
            try error("git.example.com")
                == "item 'git.example.com' not found; name its URL: https://git.example.com")
        #expect(
            try error("other.example.com")
                == "item 'other.example.com' not found; see lanyard list")
    }

    @Test("a name as a narrow list prints it")
    func cutName() throws {
        for path in ["", "rust-lang/crates.io-index"] as [ByteString] {
            try add("url") {
                $0.server = "localhost"
                $0.protocol = .http
                $0.port = path.isEmpty ? 3000 : 3001
                $0.path = path
            }
        }
        let whole = "http://localhost:3001/rust-lang/crates.io-index"
        for columns in 24..<44 {
            let cut = whole.cutInTheMiddle(to: columns)
            #expect(
                try error(cut) == "item '\(cut)' not found; name it as a whole: \(whole)",
                "\(columns)")
        }
        #expect(
            try error("localhost:3000")
                == "item 'localhost:3000' not found; name it as a whole: http://localhost:3000")
    }

    @Test("the URL of a repository on a host that has a login")
    func repository() throws {
        for port: UInt16 in [0, 8443] {
            try add("url") {
                $0.server = "git.example.com"
                $0.protocol = .https
                $0.port = port
            }
        }
        for url in ["https://git.example.com", "https://git.example.com:8443"] {
            #expect(
                try error("\(url)/team/notes.git", "ada")
                    == "item '\(url)/team/notes.git' not found; the host has a login: \(url)")
        }
        // A remote of git may name an account.
        try add("of account") {
            $0.server = "host.example.com"
            $0.protocol = .https
            $0.account = "ada"
        }
        #expect(
            try error("https://eve@host.example.com/notes.git")
                == "item 'https://eve@host.example.com/notes.git' not found; "
                + "the host has the account 'ada': https://host.example.com")
        #expect(
            try error("https://ada@host.example.com/notes.git")
                == "item 'https://ada@host.example.com/notes.git' not found; "
                + "the host has a login: https://host.example.com ada")
        for url in ["http://git.example.com/notes", "https://git.example.com:1/notes"] {
            #expect(try error(url) == "item '\(url)' not found; see lanyard list")
        }
        // The port that the scheme has anyway.
        for url in ["https://git.example.com:443", "https://git.example.com:443/notes"] {
            #expect(
                try error(url)
                    == "item '\(url)' not found; the host has a login: https://git.example.com")
        }
        // Each repository may have a login of its own.
        try add("other") {
            $0.server = "other.example.com"
            $0.protocol = .https
            $0.path = "team/one.git"
        }
        let url = "https://other.example.com/team/two.git"
        #expect(try error(url) == "item '\(url)' not found; see lanyard list")
    }

    @Test("every item is found by its name in lists")
    func roundTrip() throws {
        var random = SeededRandom()
        let pieces = ["a", "B", ".", "/", "%", "?", "#", "@", " ", "ä", ":", "[", "]", "1", "-"]
        func text() -> String {
            (0...random.number(below: 5)).map { _ in random.element(of: pieces) }.joined()
        }
        for number in 0..<400 {
            let isServer = number % 4 != 0
            var attributes = ItemAttributes()
            attributes.account = ByteString("\(number)")
            if isServer {
                attributes.server = ByteString(text())
                attributes.protocol = random.element(
                    of: [.https, .ssh, .httpsProxy, nil, ProtocolType(scheme: "HTTPS")])
                attributes.port = random.element(of: [nil, 0, 8443])
                attributes.path = random.element(of: [nil, "", ByteString(text())])
            } else {
                // A text that looks like a URL and is none is refused.
                attributes.service = ByteString(text().replacing("://", with: ":/"))
            }
            attributes.label = ByteString("\(number)")
            let itemClass = isServer ? ItemClass.internetPassword : .genericPassword
            try keychain.add(itemClass, attributes, secret: Secret("\(number)"))
            let shown = attributes.name.description
            let comment = Comment("\(shown), LANYARD_TEST_SEED=\(SeededRandom.seed)")
            #expect(try answer(shown, "\(number)") == "\(number)", comment)
        }
    }
}
