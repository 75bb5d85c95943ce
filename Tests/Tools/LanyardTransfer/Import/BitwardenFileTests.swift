import TestSupport
import Foundation
import LanyardTransfer
import KeychainServices
import Testing

@Suite struct BitwardenFileTests {
    @Test func theItemsOfAnExport() throws {
        let entries = try read(
            BitwardenFile(),
            """
            {"encrypted": false, "folders": [{"id": "f", "name": "Work"}], "items": [
              {"id": "1", "folderId": "f", "type": 1, "name": "Example", "notes": "a note",
               "creationDate": "2024-01-01T12:00:00.123Z", "revisionDate": "2024-02-29T23:59:59Z",
               "login": {"uris": [{"match": null, "uri": "https://example.com/login?next=%2F"},
                                  {"uri": "https://example.com/login"}, {"uri": "not one"},
                                  {"uri": "androidapp://com.example"}],
                         "username": "ada", "password": "s3cret", "totp": "ABC"}},
              {"type": 2, "name": "Safe", "notes": "12-34-56", "secureNote": {"type": 0},
               "creationDate": "yesterday", "revisionDate": 7},
              {"type": 1, "name": "Router", "notes": null, "login": {"uris": null,
               "username": "admin", "password": "pw"}},
              {"type": 1, "name": "Rest", "fields": [{"name": "pin", "value": "1234"}],
               "folderId": null, "collectionIds": [], "passwordHistory": [{"password": "old"}],
               "login": {"password": "pw", "fido2Credentials": [{"keyValue": "x"}]}}
            ]}
            """)
        let rest = attributes {
            $0.accessGroup = "login"
            $0.label = "Rest"
            $0.service = "Rest"
        }
        var pin = rest
        pin.label = "Rest/pin"
        pin.service = "Rest/pin"
        let first = attributes {
            $0.accessGroup = "login"
            $0.label = "Example"
            $0.account = "ada"
            $0.comment = "a note\n\nFolder: Work"
            $0.creationDate = Timestamp(secondsSinceEpoch: 1_704_110_400)
            $0.modificationDate = Timestamp(secondsSinceEpoch: 1_709_251_199)
            $0.server = "example.com"
            $0.path = "login"
            $0.protocol = .https
        }
        var second = first
        second.server = "com.example"
        second.path = nil
        second.protocol = ProtocolType(scheme: "androidapp")
        let note = attributes {
            $0.accessGroup = "login"
            $0.label = "Safe"
            $0.service = "Safe"
        }
        let router = attributes {
            $0.accessGroup = "login"
            $0.label = "Router"
            $0.service = "Router"
            $0.account = "admin"
        }
        #expect(
            entries.map(\.login?.attributes)
                == [first, second, nil, nil, note, nil, router, rest, pin, nil, nil])
        #expect(
            entries.compactMap(\.login?.text)
                == ["s3cret", "s3cret", "12-34-56", "pw", "pw", "1234"])
        // Who removes the export would lose these.
        #expect(
            entries.map(\.loss) == [
                nil, nil, .address, .oneTimePassword, nil, .date, nil, nil, nil, .earlierPasswords,
                .passkey,
            ])
        #expect(entries.allSatisfy { $0.reason == nil })
        #expect(
            entries.map(\.place) == [
                "entry 1", "entry 1", "entry 1", "entry 1", "entry 2", "entry 2", "entry 3",
                "entry 4", "entry 4", "entry 4", "entry 4",
            ])
        #expect(entries.allSatisfy { $0.ranges.isEmpty })
    }

    /// Their owner has deleted them; an archived one gets a tag, as one of 1Password. A byte order mark is no part of JSON.
    @Test func theTrashAndTheArchive() throws {
        let entries = try read(
            BitwardenFile(),
            """
            \u{FEFF}{"items": [
              {"type": 1, "name": "a", "deletedDate": "2024-01-01T12:00:00Z", "login": {"password": "pw"}},
              {"type": 1, "name": "b", "archivedDate": "2024-01-01T12:00:00Z", "login": {"password": "pw"}}
            ]}
            """)
        #expect(entries.map(\.reason) == ["it is in the trash", nil])
        #expect(entries[1].login?.attributes.comment == "Tags: archived")
    }

    /// With the name of each login, and alone without a password.
    @Test func keysOfOneTimePasswordsAreItems() throws {
        let entries = try read(
            BitwardenFile(),
            """
            {"items": [
              {"type": 1, "name": "a", "notes": "n", "login": {"username": "ada", "password": "pw",
               "uris": [{"uri": "https://a.example"}, {"uri": "https://b.example"}],
               "totp": "gezd gnbv gy3t qojq"}},
              {"type": 1, "name": "b", "login": {
               "totp": "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&digits=8"}},
              {"type": 1, "name": "c", "login": {"password": "pw", "totp": "steam://ABC"}}
            ]}
            """)
        #expect(
            entries.map { $0.login?.attributes.accessGroup } == [
                "login", "code", "login", "code", "code", "login", nil,
            ])
        var expected = entries.first?.login?.attributes
        expected?.accessGroup = "code"
        #expect(entries[1].login?.attributes == expected)
        #expect(entries[1].login?.text == "otpauth://totp/ada?secret=GEZDGNBVGY3TQOJQ")
        #expect(entries[3].login?.attributes.server == "b.example")
        #expect(entries[4].login?.attributes.service == "b")
        #expect(entries[4].login?.text == "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ&digits=8")
        #expect(entries[6].loss == .oneTimePassword)
    }

    /// Two entries may differ in nothing else.
    @Test func keysAndFieldsTellEntriesApart() throws {
        func item(_ more: String) -> String {
            #"{"type": 1, "name": "a", "login": {"password": "pw", \#(more)"#
        }
        let one = item(#""totp": "GEZDGNBVGY3TQOJQ"}}"#)
        let other = item(#""totp": "GEZDGNBVGY3TQOJR"}}"#)
        let third = item(#""uris": []}, "fields": [{"name": "pin", "value": "1"}]}"#)
        let entries = try read(
            BitwardenFile(), #"{"items": [\#([one, one, other, third].joined(separator: ","))]}"#)
        #expect(
            entries.map { $0.login.map { "\($0.attributes.service ?? "") = \($0.text)" } } == [
                "a = pw", "a = otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ", nil,
                "a (2) = pw", "a (2) = otpauth://totp/a?secret=GEZDGNBVGY3TQOJR",
                "a (3) = pw", "a/pin = 1",
            ])
        #expect(entries[2].content == .shadowed)
    }

    /// Each has a name of its own.
    @Test func fieldsAreItems() throws {
        let entries = try read(
            BitwardenFile(),
            """
            {"items": [
              {"type": 1, "name": "a", "notes": "n", "folderId": "f", "fields": [
                {"name": "pin", "value": "1", "type": 1}, {"name": "on", "value": "true", "type": 2},
                {"name": "link", "value": null, "type": 3, "linkedId": 100},
                {"name": "pin", "value": "1"}],
               "login": {"username": "ada", "password": "pw"}},
              {"type": 2, "name": "b", "notes": "x", "fields": [
                {"name": "pin", "value": "2"}, {"name": "pin", "value": "3"},
                {"name": null, "value": "4"}]}
            ]}
            """)
        #expect(
            entries.map { $0.login.map { "\($0.attributes.service ?? "") = \($0.text)" } } == [
                "a = pw", "a/pin = 1", "a/on = true", nil, nil, "b = x", "b/pin = 2",
                "b/pin (2) = 3", "b/field = 4",
            ])
        #expect(entries[1].login?.attributes.account == "ada")
        // The file does not name the folder.
        #expect(entries[3].content == .shadowed && entries[4].loss == .folder)
    }

    @Test func fieldsComeWithoutAPassword() throws {
        let entries = try read(
            BitwardenFile(),
            """
            {"items": [
              {"type": 1, "name": "API", "notes": "n", "fields": [
                {"name": "key", "value": "1", "type": 1}, {"name": "id", "value": "2"}],
               "login": {"username": "ada", "fido2Credentials": [{"keyValue": "x"}]}},
              {"type": 2, "name": "Note", "notes": "", "fields": [{"name": "pin", "value": "3"}]},
              {"type": 3, "name": "Card", "card": {"number": "4111"},
               "fields": [{"name": "pin", "value": "4"}]}
            ]}
            """)
        #expect(
            entries.map { $0.login.map { "\($0.attributes.service ?? "") = \($0.text)" } } == [
                "API = n", "API/key = 1", "API/id = 2", nil, "Note/pin = 3", nil,
            ])
        #expect(entries[1].login?.attributes.account == "ada")
        #expect(entries[3].loss == .passkey)
        #expect(entries[5].reason == "it is neither a login nor a note")
    }

    /// Folders of the user, and collections of an organization.
    @Test func foldersAreInTheComment() throws {
        let entries = try read(
            BitwardenFile(),
            """
            {"encrypted": false,
             "folders": [{"id": "f", "name": "Work/Servers"}, {"id": "n", "name": "a\\nb"}],
             "collections": [{"id": "c", "organizationId": "o", "name": "Ops", "externalId": null},
                             {"id": "d", "name": "All"}],
             "items": [
              {"type": 1, "name": "a", "folderId": "f", "login": {"password": "pw"},
               "fields": [{"name": "pin", "value": "1"}]},
              {"type": 2, "name": "b", "notes": "x", "folderId": null,
               "collectionIds": ["c", "d"]},
              {"type": 1, "name": "c", "folderId": "n", "login": {"password": "pw"}}
            ]}
            """)
        #expect(
            entries.map(\.login?.attributes.comment) == [
                "Folder: Work/Servers", "Folder: Work/Servers", "Folder: Ops\nFolder: All", nil,
                nil,
            ])
        // A comment's line can't have this name.
        #expect(entries[4].loss == .folder)
    }

    @Test func whatCanNotBeKeptIsSkipped() throws {
        let entries = try read(
            BitwardenFile(),
            """
            {"items": [
              {"type": 3, "name": "Card", "card": {"number": "4111"}},
              {"type": 1, "name": "a", "login": {"totp": "ABC"}},
              {"type": 1, "name": "b", "login": {"fido2Credentials": [{"keyValue": "x"}]}},
              {"type": 1, "name": "c", "login": {"password": ""}},
              {"type": 1, "name": "d"},
              {"type": 2, "name": "e", "notes": null},
              {"type": 1, "login": {"password": "pw"}},
              {"type": 1, "name": "f", "login": {"password": "1"}},
              {"type": 1, "name": "f", "login": {"password": "2"}}
            ]}
            """)
        #expect(
            entries.map(\.reason) == [
                "it is neither a login nor a note",
                "it contains only a one-time password key",
                "it contains only a passkey", "it has no password", "it has no password",
                "it is empty", "it has no name and no readable address", nil, nil,
            ])
        #expect(entries.last?.login?.attributes.service == "f (2)")
    }

    /// Next to a key of one-time passwords they stay notes: the key needs the site.
    @Test func notesWithoutAPasswordAreTheSecret() throws {
        let entries = try read(
            BitwardenFile(),
            """
            {"items": [
              {"type": 1, "name": "a", "notes": "only a note",
               "login": {"username": "u", "uris": [{"uri": "https://a.example"}]}},
              {"type": 1, "name": "b", "notes": "a note",
               "login": {"totp": "GEZDGNBVGY3TQOJQ", "uris": [{"uri": "https://b.example"}]}}
            ]}
            """)
        #expect(entries.count == 3)
        #expect(entries[0].login?.attributes.service == "a")
        #expect(entries[0].login?.attributes.account == "u")
        #expect(entries[0].login?.text == "only a note")
        #expect(entries[1].loss == .address)
        #expect(entries[2].login?.attributes.accessGroup == "code")
        #expect(entries[2].login?.attributes.server == "b.example")
        #expect(entries[2].login?.attributes.comment == "a note")
    }

    @Test func anEntryBecomesSoManyItemsAndNoMore() throws {
        let uris = (0..<65).map { #"{"uri":"https://h\#($0).example"}"# }.joined(separator: ",")
        let entries = try read(
            BitwardenFile(),
            #"{"items":[{"type":1,"login":{"password":"pw","uris":[\#(uris)]}}]}"#)
        #expect(entries.count == 65)
        #expect(entries.last?.reason == "it has more than 64 addresses")
    }

    @Test(
        arguments: [
            "", "[]", "{}", #"{"items":{}}"#,
            #"{"items":[{"type":1,"name":"f","login":{"password":"pw"}}]"#,
        ])
    func whatIsNoSuchFileIsRefusedWhole(_ text: String) {
        #expect(refusal(BitwardenFile(), text)?.status == .decode)
    }

    @Test func anEncryptedExportIsRefusedWithAHint() {
        let error = refusal(
            BitwardenFile(),
            #"{"items":[{"type":1,"name":"2.x","login":{"password":"2.y"}}],"encrypted":true}"#)
        #expect(error?.status == .decode)
        #expect(error?.reason == "the export is encrypted")
        #expect(error?.hint?.hasPrefix("export it again") == true)
    }

    @Test func randomLoginsAreReadAsTheyWereWritten() throws {
        var random = SeededRandom()
        for _ in 0..<40 {
            let logins = random.logins(random.number(below: 8)) { $0.characters() }
            let items: [[String: Any]] = logins.map { login in
                let port = login.port.map { ":\($0)" } ?? ""
                return [
                    "type": 1, "name": "\(login.host)", "notes": NSNull(), "favorite": false,
                    "login": [
                        "uris": [["match": NSNull(), "uri": "https://\(login.host)\(port)/"]],
                        "username": String(decoding: login.user, as: UTF8.self),
                        "password": String(decoding: login.password, as: UTF8.self),
                        "totp": NSNull(),
                    ],
                ]
            }
            let file = try JSONSerialization.data(
                withJSONObject: ["encrypted": false, "folders": [], "items": items])
            let read = try read(BitwardenFile(), Array(file)).map { entry in
                RandomLogin(
                    host: entry.login?.attributes.server?.description ?? "",
                    port: entry.login?.attributes.port,
                    user: entry.login?.attributes.account?.bytes ?? [],
                    password: entry.login?.secret ?? [])
            }
            #expect(read == logins)
        }
    }
}
