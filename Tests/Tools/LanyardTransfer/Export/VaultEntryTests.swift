import Foundation
import LanyardTransfer
import KeychainServices
import TestSupport
import Testing

/// Entries of other vaults, imported, exported and imported again: nothing is lost on the way.
@Suite("Entries of other vaults") struct VaultEntryTests {
    /// The exports that a vault writes.
    enum Vault: CaseIterable {
        case bitwarden, bitwardenCSV, onePassword, keePassXC
    }

    @Test(arguments: Vault.allCases, 0..<12 as Range<UInt64>)
    func everythingSurvives(vault: Vault, round: UInt64) throws {
        var random = SeededRandom(seed: SeededRandom.seed &+ round)
        let entries = (0..<1 + random.number(below: 12)).map { VaultEntry(&random, number: $0) }
        let source = try VaultEntryTests.keychain()
        try source.add(secret(vault.file(entries)), as: vault)
        let imported = try source.items()
        for entry in entries {
            try expect(entry, from: vault, in: imported)
        }

        let (text, counts) = try source.document()
        #expect(counts.exported == imported.count)
        let target = try VaultEntryTests.keychain()
        try target.add(document: secret(text))
        #expect(try target.items() == imported)
    }

    /// Checks everything that the vault's format has.
    private func expect(_ entry: VaultEntry, from vault: Vault, in items: [Item]) throws {
        let logins = items.filter {
            $0.attributes.label == ByteString(entry.title) && $0.attributes.accessGroup == "login"
        }
        #expect(logins.count == 1, "\(entry.title)")
        let login = try #require(logins.first)
        #expect(login.secret == Array(entry.password.utf8))
        #expect(login.attributes.account == entry.username.map { ByteString($0) })
        #expect(login.attributes.server == entry.host.map { ByteString($0) })
        var lines: [String] = []
        if let folder = entry.folder, vault.hasFolders {
            lines.append("Folder: \(folder)")
        }
        if !entry.tags.isEmpty, vault == .onePassword {
            lines.append("Tags: \(entry.tags.joined(separator: ", "))")
        }
        let arrangement = lines.isEmpty ? nil : lines.joined(separator: "\n")
        let comment = [entry.notes, arrangement].compactMap(\.self).joined(separator: "\n\n")
        #expect(login.attributes.comment?.description ?? "" == comment)

        let codes = items.filter {
            $0.attributes.label == ByteString(entry.title) && $0.attributes.accessGroup == "code"
        }
        #expect(
            codes.map(\.secret) == (entry.hasCode ? [Array(entry.codeURL.utf8)] : []))

        let fields = vault.hasFields ? entry.fields : []
        let found = items.filter {
            $0.attributes.service?.description.hasPrefix("\(entry.title)/") == true
        }
        #expect(found.count == fields.count, "\(entry.title)")
        for (name, value) in fields {
            let field = try #require(
                found.first { $0.attributes.service == ByteString("\(entry.title)/\(name)") })
            #expect(field.secret == Array(value.utf8))
            #expect(field.attributes.comment?.description == arrangement)
        }
        // Fields may be hidden: lists show attributes while the keychain is locked.
        for item in items {
            for (_, value) in fields {
                #expect(!"\(item.attributes)".contains(value))
            }
        }
    }

    private static func keychain() throws -> Keychain {
        Keychain(
            InMemoryStore(now: { Timestamp(secondsSinceEpoch: 1_700_000_000) }),
            accessGroups: .all())
    }
}

struct VaultEntry {
    let title: String
    let password: String
    let username: String?
    let host: String?
    let notes: String?
    let folder: String?
    let tags: [String]
    let hasCode: Bool
    let fields: [(name: String, value: String)]

    private static let words = [
        "a", "Ärger", "x, y", "\"q\"", "one: two", "🔑", "line\nbreak", "\\",
    ]

    init(_ random: inout SeededRandom, number: Int) {
        func text(_ random: inout SeededRandom) -> String {
            (0...random.number(below: 3)).map { _ in random.element(of: Self.words) }
                .joined(separator: " ")
        }
        title = "Entry \(number)"
        password = "pw \(text(&random))"
        username = random.chance(70) ? "user \(number)" : nil
        host = random.chance(60) ? "h\(number).example.com" : nil
        notes = random.chance(50) ? text(&random) : nil
        folder = random.chance(50) ? random.element(of: ["Work", "Work/Servers", "Ünder"]) : nil
        tags = (0..<random.number(below: 3)).map { "tag \($0)\(random.element(of: ["", " ü"]))" }
        hasCode = random.chance(30)
        fields = (0..<random.number(below: 4)).map { index in
            // Bitwarden's CSV has one field a line.
            let end = random.element(of: ["x", "ü", "a: b"])
            return ("field \(index)", "hidden \(number) \(index) \(end)")
        }
    }

    var codeURL: String {
        let label = (username ?? title).replacing(" ", with: "%20")
        return "otpauth://totp/\(label)?secret=GEZDGNBVGY3TQOJQ"
    }
}

extension VaultEntryTests.Vault {
    var hasFields: Bool { self == .bitwarden || self == .bitwardenCSV }
    var hasFolders: Bool { self != .onePassword }

    /// Returns an export with the entries.
    func file(_ entries: [VaultEntry]) throws -> [UInt8] {
        switch self {
        case .bitwarden: return try bitwarden(entries)
        case .bitwardenCSV:
            return csv(
                [
                    "folder", "favorite", "type", "name", "notes", "fields", "reprompt",
                    "login_uri", "login_username", "login_password", "login_totp",
                ],
                entries.map { entry in
                    [
                        entry.folder ?? "", "", "login", entry.title, entry.notes ?? "",
                        entry.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n"),
                        "0", entry.url, entry.username ?? "", entry.password,
                        entry.hasCode ? entry.codeURL : "",
                    ]
                })
        case .onePassword:
            return csv(
                [
                    "Title", "Url", "Username", "Password", "OTPAuth", "Favorite", "Archived",
                    "Tags", "Notes",
                ],
                entries.map { entry in
                    [
                        entry.title, entry.url, entry.username ?? "", entry.password,
                        entry.hasCode ? entry.codeURL : "", "false", "false",
                        entry.tags.joined(separator: ";"), entry.notes ?? "",
                    ]
                })
        case .keePassXC:
            return csv(
                [
                    "Group", "Title", "Username", "Password", "URL", "Notes", "TOTP", "Icon",
                    "Last Modified", "Created",
                ],
                entries.map { entry in
                    [
                        entry.folder.map { "Root/\($0)" } ?? "Root", entry.title,
                        entry.username ?? "", entry.password, entry.url, entry.notes ?? "",
                        entry.hasCode ? entry.codeURL : "", "0", "2024-02-29T23:59:59Z",
                        "2024-01-01T12:00:00Z",
                    ]
                })
        }
    }

    private func bitwarden(_ entries: [VaultEntry]) throws -> [UInt8] {
        let folders = Set(entries.compactMap(\.folder)).map { ["id": "id of \($0)", "name": $0] }
        let items: [[String: Any]] = entries.map { entry in
            [
                "id": entry.title, "type": 1, "name": entry.title, "favorite": false,
                "folderId": entry.folder.map { "id of \($0)" as Any } ?? NSNull(),
                "notes": entry.notes as Any? ?? NSNull(), "collectionIds": NSNull(),
                "fields": entry.fields.enumerated().map { index, field in
                    [
                        "name": field.name, "value": field.value, "type": index % 2,
                        "linkedId": NSNull(),
                    ] as [String: Any]
                },
                "login": [
                    "uris": entry.host == nil ? [] : [["match": NSNull(), "uri": entry.url]],
                    "username": entry.username as Any? ?? NSNull(), "password": entry.password,
                    "totp": entry.hasCode ? entry.codeURL as Any : NSNull(),
                    "fido2Credentials": [] as [Any],
                ] as [String: Any],
            ]
        }
        let file: [String: Any] = ["encrypted": false, "folders": folders, "items": items]
        return Array(try JSONSerialization.data(withJSONObject: file))
    }

    private func csv(_ header: [String], _ rows: [[String]]) -> [UInt8] {
        let lines = ([header] + rows).map { row in
            row.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",")
        }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }
}

extension VaultEntry {
    var url: String { host.map { "https://\($0)/" } ?? "" }
}

extension Keychain {
    /// Adds every item of a vault's export, of which nothing may be left out.
    fileprivate func add(
        _ file: borrowing Secret, as vault: VaultEntryTests.Vault
    ) throws {
        func add(_ record: ImportRecord) throws(KeychainError) {
            switch record.content {
            case .item(let item):
                try self.add(item.itemClass, item.attributes, secret: item.secret, keepsDates: true)
            case .skipped(let reason, _): throw KeychainError(.param, reason)
            case .without(let loss): throw KeychainError(.param, "\(loss)")
            case .failed(let error): throw error
            case .shadowed: throw KeychainError(.duplicateItem)
            }
        }
        if vault == .bitwarden {
            try BitwardenFile().read(file, add)
        } else {
            try CSVFile().read(file, add)
        }
    }
}
