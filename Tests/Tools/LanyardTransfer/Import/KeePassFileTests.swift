import LanyardTransfer
import KeychainServices
import Testing

/// The XML export of KeePassXC; one of KeePassXC itself is imported in EndToEnd/Import/ImportVaultsTests.
@Suite struct KeePassFileTests {
    private func file(_ entries: String, meta: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <KeePassFile><Meta>\(meta)</Meta><Root><Group><UUID>AA==</UUID><Name>Passwords</Name>
        \(entries)</Group></Root></KeePassFile>
        """
    }

    private func entry(_ fields: [(String, String)], _ more: String = "") -> String {
        let strings = fields.map { "<String><Key>\($0)</Key><Value>\($1)</Value></String>" }
        return "<Entry><UUID>BB==</UUID>\(more)\(strings.joined())</Entry>\n"
    }

    private func described(_ text: String) throws -> [String] {
        try read(KeePassFile(), text).map { entry in
            guard let login = entry.login else {
                return entry.reason ?? entry.loss?.word ?? "shadowed"
            }
            let a = login.attributes
            return [
                "\(a.accessGroup ?? "")", "\(a.service ?? ServerURL.text(a) ?? "")",
                "\(a.account ?? "-")", login.text,
            ].joined(separator: " ")
        }
    }

    /// Each field of an entry has one value: KeePass takes the last one.
    @Test(arguments: ["Title", "UserName", "Password", "Notes", "otp", "TOTP Seed", "PIN"])
    func repeatedFields(key: String) throws {
        func entries(_ fields: [(String, String)]) throws -> [Entry] {
            try read(KeePassFile(), file(entry([("Title", "a"), ("Password", "b")] + fields)))
        }
        let one = try entries([(key, "GEZDGNBV"), (key, "GEZDGNBV")])
        let two = try entries([(key, "MFRGGZDF"), (key, "GEZDGNBV")])
        let loss = ImportLoss.unread("\(key) (repeated)")
        let hasOwn = ["Title", "Password"].contains(key)
        #expect(one.map(\.loss).contains(loss) == hasOwn)
        #expect(two.map(\.loss).contains(loss))
    }

    @Test func allPartsOfAnEntry() throws {
        let times = """
            <Times><LastModificationTime>2024-02-29T23:59:59Z</LastModificationTime>
            <CreationTime>2024-01-01T12:00:00Z</CreationTime></Times><Tags>shared,billing</Tags>
            """
        let history = """
            <Binary><Key>a.txt</Key><Value Ref="0"/></Binary>
            <History><Entry><Tags>x</Tags><Times><CreationTime>2001-01-01T00:00:00Z</CreationTime></Times>
            <String><Key>Title</Key><Value>older</Value></String>
            <String><Key>Password</Key><Value>old</Value></String></Entry></History>
            """
        let text = file(
            """
            <Group><UUID>CC==</UUID><Name>Work &amp; play</Name><Group><Name>Servers</Name>
            <Entry>\(times)<String><Key>Title</Key><Value>first</Value></String>
            <String><Key>UserName</Key><Value>ada</Value></String>
            <String><Key>Password</Key><Value ProtectInMemory="True">p&amp;w<![CDATA[<]]></Value></String>
            <String><Key>URL</Key><Value>https://a.example/x</Value></String>
            <String><Key>KP2A_URL_1</Key><Value>https://b.example</Value></String>
            <String><Key>Notes</Key><Value>line 1&#10;line 2</Value></String>
            <String><Key>otp</Key><Value>otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ&amp;digits=8</Value></String>
            <String><Key>pin</Key><Value>1234</Value></String>
            \(history)</Entry></Group></Group>
            """)
        let entries = try read(KeePassFile(), text)
        let found = try described(text)
        #expect(
            found == [
                "login https://a.example/x ada p&w<",
                "code https://a.example/x ada otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ&digits=8",
                "login https://b.example ada p&w<",
                "code https://b.example ada otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ&digits=8",
                "login first/pin ada 1234", "earlier_passwords", "attachments",
            ])
        let first = try #require(entries.first?.login?.attributes)
        #expect(first.label == "first")
        #expect(
            first.comment
                == "line 1\nline 2\n\nFolder: Work & play/Servers\nTags: shared, billing")
        #expect(first.creationDate == Timestamp(secondsSinceEpoch: 1_704_110_400))
        #expect(first.modificationDate == Timestamp(secondsSinceEpoch: 1_709_251_199))
        #expect(entries.allSatisfy { $0.place == "entry 1" && $0.ranges.isEmpty })
        #expect(
            entries[4].login?.attributes.comment
                == "Folder: Work & play/Servers\nTags: shared, billing")
    }

    /// As other versions, and KeePass, write the key.
    @Test(arguments: [
        ([("TOTP Seed", "GEZDGNBVGY3TQOJQ"), ("TOTP Settings", "60;8")], "&period=60&digits=8"),
        (
            [
                ("TimeOtp-Secret-Base32", "GEZDGNBVGY3TQOJQ"),
                ("TimeOtp-Algorithm", "HMAC-SHA-256"), ("TimeOtp-Length", "8"),
            ], "&algorithm=SHA256&digits=8"
        ),
        ([("otp", "GEZDGNBVGY3TQOJQ")], ""),
    ])
    func keysOfOneTimePasswords(fields: [(String, String)], parameters: String) throws {
        let items = try described(file(entry([("Title", "t"), ("Password", "p")] + fields)))
        #expect(items.count == 2 && items[0] == "login t - p")
        #expect(items[1].hasPrefix("code t - otpauth://totp/"))
        #expect(items[1].hasSuffix("?secret=GEZDGNBVGY3TQOJQ\(parameters)"))
    }

    @Test func whatIsLeft() throws {
        let entries = [
            entry([("Title", "a"), ("Notes", "only a note"), ("UserName", "u")]),
            entry([("Title", "b")]), entry([("Title", "c"), ("field", "x")]),
            entry([("Title", "d"), ("Password", "{REF:P@I:0011}")]),
            entry([
                ("Title", "e"), ("Password", "p"), ("TOTP Seed", "GEZDGNBVGY3TQOJQ"),
                ("TOTP Settings", "30;S"), ("KPEX_PASSKEY_USERNAME", "u"),
            ]), "<Group><UUID>DD==</UUID><Name>Bin</Name><Group><UUID>EE==</UUID>",
            entry([("Title", "f"), ("Password", "p")]), "</Group></Group>",
            entry([("Title", "g"), ("Password", "p")]),
        ]
        let found = try described(
            file(entries.joined(), meta: "<RecycleBinUUID>DD==</RecycleBinUUID>"))
        #expect(
            found == [
                "login a u only a note", "it has no password", "login c/field - x",
                "it refers to another entry", "login e - p", "passkey", "one_time_password",
                "it is in the recycle bin", "login g - p",
            ])
    }

    @Test(arguments: [
        ("<a/>", "XML export of KeePassXC"), ("", "line 1"), ("<KeePassFile>\n<", "line 2"),
        ("<KeePassFile><Value Protected=\"True\">x</Value></KeePassFile>", "encrypted"),
        ("<KeePassFile>&secret;</KeePassFile>", "unknown entity"),
        ("Title,Password\n", "invalid XML"),
    ])
    func whatIsNoExportIsRefusedWhole(text: String, words: String) throws {
        let error = try #require(refusal(KeePassFile(), text))
        #expect(error.status == .decode && error.reason.contains(words), "\(error)")
        #expect(!error.reason.contains("secret"))
    }
}
