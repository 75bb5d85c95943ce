import LanyardTransfer
import KeychainServices
import Testing

/// The file export.data of 1PUX, as 1Password's documentation has it.
@Suite struct OnePasswordFileTests {
    private func described(_ items: String) throws -> [String] {
        let text =
            "{\"accounts\": [{\"attrs\": {\"name\": \"Ada\"}, \"vaults\": [{\"items\": [\(items)], "
            + "\"attrs\": {\"uuid\": \"v\", \"name\": \"Personal\"}}]}]}"
        return try read(OnePasswordFile(), text).map { entry in
            guard let login = entry.login else {
                return entry.reason ?? entry.loss?.word ?? "shadowed"
            }
            let a = login.attributes
            return [
                "\(a.accessGroup ?? "")", "\(a.service ?? ServerURL.text(a) ?? "")",
                "\(a.account ?? "-")", login.text, "\(a.comment ?? "")",
            ].joined(separator: "|")
        }
    }

    @Test func aLogin() throws {
        let item = """
            {"uuid": "1", "favIndex": 1, "createdAt": 1704110400, "updatedAt": 1709251199,
             "state": "active", "categoryUuid": "001",
             "details": {"loginFields": [
               {"value": "ada", "id": "", "name": "username", "fieldType": "T", "designation": "username"},
               {"value": "s3cret", "id": "", "name": "password", "fieldType": "P", "designation": "password"},
               {"value": "true", "id": "", "name": "remember", "fieldType": "C"}],
              "notesPlain": "a note", "sections": [{"title": "More", "name": "s", "fields": [
               {"title": "PIN", "id": "x1", "value": {"concealed": "1234"}, "multiline": false},
               {"title": "", "id": "TOTP_1", "value": {"totp": "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ"}},
               {"title": "home", "id": "x2", "value": {"address": {"street": "1 St", "city": "X", "zip": ""}}},
               {"title": "since", "id": "x3", "value": {"monthYear": 202401}},
               {"title": "mail", "id": "x4", "value": {"email": {"email_address": "a@b.example", "provider": null}}},
               {"title": "none", "id": "x5", "value": {"string": ""}}]}],
              "passwordHistory": [{"value": "old", "time": 1}, {"value": "s3cret", "time": 2}]},
             "overview": {"subtitle": "ada", "title": "Example", "url": "https://a.example/x",
              "urls": [{"label": "website", "url": "https://a.example/x"}, {"url": "https://b.example"}],
              "tags": ["shared", "billing"]}}
            """
        let lines = "Folder: Personal\nTags: shared, billing"
        let code = "otpauth://totp/a?secret=GEZDGNBVGY3TQOJQ"
        let found = try described(item)
        #expect(
            found == [
                "login|https://a.example/x|ada|s3cret|a note\n\n\(lines)",
                "code|https://a.example/x|ada|\(code)|a note\n\n\(lines)",
                "login|https://b.example|ada|s3cret|a note\n\n\(lines)",
                "code|https://b.example|ada|\(code)|a note\n\n\(lines)",
                "login|Example/PIN|ada|1234|\(lines)", "login|Example/home|ada|1 St, X|\(lines)",
                "login|Example/since|ada|202401|\(lines)",
                "login|Example/mail|ada|a@b.example|\(lines)", "sections", "earlier_passwords",
            ])
    }

    /// Of one item no other one suffers.
    @Test func numbersWithAFraction() throws {
        let found = try read(
            OnePasswordFile(),
            """
            {"accounts": [{"vaults": [{"items": [
             {"categoryUuid": "005", "createdAt": 1704110400.5, "updatedAt": 1e300,
              "overview": {"title": "Wifi"}, "details": {"password": "w", "sections": [
              {"fields": [{"title": "size", "value": {"number": 1.50}}]}]}}]}]}]}
            """)
        #expect(found.map { $0.login?.text } == ["w", "1.50", nil])
        #expect(found.last?.loss == .date)
        let attributes = found.first?.login?.attributes
        #expect(attributes?.creationDate == Timestamp(secondsSinceEpoch: 1_704_110_400))
        #expect(attributes?.modificationDate == nil)
    }

    @Test(
        arguments: [
            ("1.7041104e9", 1_704_110_400), ("17041104E2", 1_704_110_400), ("-1", -1), ("0", 0),
            ("1e300", nil),
        ] as [(String, Int64?)])
    func dates(text: String, seconds: Int64?) throws {
        let found = try read(
            OnePasswordFile(),
            """
            {"accounts": [{"vaults": [{"items": [{"categoryUuid": "005", "createdAt": \(text),
             "overview": {"title": "Wifi"}, "details": {"password": "w"}}]}]}]}
            """)
        #expect(
            found.map { $0.login?.attributes.creationDate }.prefix(1)
                == [seconds.map { Timestamp(secondsSinceEpoch: $0) }])
        #expect(found.dropFirst().map(\.loss) == (seconds == nil ? [.date] : []))
    }

    @Test func otherItems() throws {
        #expect(
            try described(
                """
                {"categoryUuid": "003", "overview": {"title": "Note"}, "details": {"notesPlain": "n"}},
                {"categoryUuid": "005", "overview": {"title": "Wifi"}, "details": {"password": "w"},
                 "state": "archived"},
                {"item": {"categoryUuid": "112", "overview": {"title": "API"}, "details": {"sections": [
                  {"fields": [{"title": "username", "id": "username", "value": {"string": "bot"}},
                   {"title": "credential", "id": "credential", "value": {"concealed": "tok"}},
                   {"title": "hostname", "id": "hostname", "value": {"string": "h"}}]}]}}},
                {"categoryUuid": "114", "overview": {"title": "Key"}, "details": {"sections": [{"fields": [
                  {"title": "private key", "id": "private_key", "value": {"sshKey": {"privateKey": "PEM",
                   "metadata": {"privateKey": "PEM", "publicKey": "ssh-ed25519 A"}}}}]}]}},
                {"categoryUuid": "006", "overview": {"title": "Doc"},
                 "details": {"documentAttributes": {"fileName": "a"}, "sections": null}}
                """) == [
                    "login|Note|-|n|Folder: Personal",
                    "login|Wifi|-|w|Folder: Personal\nTags: archived",
                    "login|API|bot|tok|Folder: Personal",
                    "login|API/hostname|bot|h|Folder: Personal",
                    "login|Key/private key|-|PEM|Folder: Personal", "it has no password",
                ])
    }

    @Test(arguments: ["{}", "[]", "{\"accounts\": [", "PK"])
    func whatIsNoExportIsRefusedWhole(text: String) throws {
        #expect(try #require(refusal(OnePasswordFile(), text)).status == .decode)
    }
}
