import Foundation
import KeychainServices
import LanyardSecrets
import LanyardTransfer
import PlainTextFormats
import TestSupport
import Testing

@testable import EndToEndRig

/// What the readers of other programs take of random files, is read in the same way, or its line is named.
@Suite struct OtherReadersTests {
    /// Python's of YAML.
    @Test(.needs(.pythonYAML)) func yaml() async throws {
        try await compare("random-yaml.py", mostRefused: 0.1) { bytes in
            let (documents, failure) = YAMLReader.read(FileBytes(bytes))
            return failure == nil ? documents.map(Self.plain) : nil
        }
    }

    /// Python's of TOML.
    @Test(.needs(.pythonTOML)) func toml() async throws {
        try await compare("random-toml.py", mostRefused: 0) { bytes in
            let values = try? PlainTextValues.read(bytes.span, .toml)
            // Python puts the tables of one name together.
            return values.map { values in
                values.map { value -> [Any] in
                    let content = value.bytes(in: bytes.span).map {
                        String(decoding: Array($0), as: UTF8.self)
                    }
                    return [value.path.joined(separator: "\u{1}"), content ?? NSNull()]
                }
            }
        }
    }

    /// Python's of INI, which reads aws's files and .pypirc.
    @Test(.needs(.python)) func ini() async throws {
        try await compare("random-ini.py", mostRefused: 0) { bytes in
            func text(_ range: Range<Int>) -> String {
                String(decoding: bytes[range], as: UTF8.self)
            }
            let settings = SettingLines(bytes.span, signs: .firstSign)
            var values: [[String]: String?] = [:]
            for line in settings.lines {
                let section = line.section.map { text(settings.sections[$0].nameRange) } ?? ""
                values[[section, text(line.keyRange)]] = .some(
                    line.isContinued ? nil : text(line.value))
            }
            return values.compactMap { names, value in value.map { names + [$0] } }
        }
    }

    /// npm's own of .npmrc. It takes blanks in a token and a single quotation mark, too.
    @Test(.needs(.npmReader)) func npmrc() async throws {
        try await compare("random-npmrc.js", mostRefused: 0.5) { bytes in
            var logins: [[String]] = []
            var isRead = true
            try? NpmrcFile().read(bytes.span) { record in
                switch record.content {
                case .item(let item):
                    logins.append([
                        "\(ServerURL.text(item.attributes) ?? "")",
                        String(decoding: Array(FileBytes(item.secret.copy())), as: UTF8.self),
                    ])
                // In a section npm ignores it, too.
                case .failed(let error): isRead = isRead && error.reason.contains("section")
                default: break
                }
            }
            return isRead ? logins : nil
        }
    }

    /// kubectl's of kubeconfigs.
    @Test(.needs(.kubectl)) func kubeconfig() async throws {
        try await compare("random-kubeconfig.py", count: 60, mostRefused: 0.1) { bytes in
            let (documents, failure) = YAMLReader.read(FileBytes(bytes))
            guard failure == nil, let users = documents.first?["users"]?.items else {
                return nil
            }
            return users.map { user in
                [user["name"], user["user"]?["token"]].map { node -> Any in
                    let value = node.map(Self.plain) ?? ""
                    // To kubectl nothing is an empty text.
                    return value is NSNull ? "" : value
                }
            }
        }
    }

    /// libpq's of .pgpass.
    @Test(.needs(.psql)) func pgpass() async throws {
        try await compare("random-pgpass.py", count: 120, mostRefused: 0.5) { bytes in
            let first = bytes.split(separator: 0x0A).first ?? []
            let question = String(decoding: first.dropFirst(), as: UTF8.self)
                .trimmingCharacters(in: .newlines).components(separatedBy: "\t")
            let values = (try? PlainTextValues.read(bytes.span, .pgpass)) ?? []
            for (_, line) in Dictionary(grouping: values, by: \.line).sorted(by: { $0.key < $1.key }
            ) {
                func text(_ name: String) -> String? {
                    line.first { $0.path == [name] }?.bytes(in: bytes.span).map {
                        String(decoding: Array($0), as: UTF8.self)
                    }
                }
                let isAsked = zip(["host", "port", "database", "user"], question).allSatisfy {
                    name, wanted in
                    guard let field = line.first(where: { $0.path == [name] }) else {
                        return name == "user"
                    }
                    return bytes[field.range].elementsEqual("*".utf8) || text(name) == wanted
                }
                if isAsked {
                    return text("password").map { [$0] }
                }
            }
            return nil
        }
    }

    /// Runs a script that prints files and what another reader makes of them.
    ///
    /// - Parameters:
    ///   - count: The number of files.
    ///   - mostRefused: The most files that only the other reader takes, for each one that both take.
    ///   - read: Returns what is printed for a file, nil for one that is refused.
    private func compare(
        _ script: String, count: Int = 3_000, mostRefused: Double, _ read: ([UInt8]) -> [Any]?
    ) async throws {
        let home = try ScratchHome()
        let path = "\(Repository.path)/Tests/EndToEnd/Readers/\(script)"
        let program = script.hasSuffix(".js") ? "node" : "python3"
        let outcome = try await home.command(
            program, [path, "\(SeededRandom.seed)", "\(count)"]
        ).run()
        #expect(outcome.status == 0, "\(outcome)")
        var (same, refused) = (0.0, 0.0)
        for line in outcome.outputText.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            let bytes = [UInt8](try #require(Data(base64Encoded: String(parts[0]))))
            guard parts[1] != "-" else {
                continue
            }
            guard let found = read(bytes) else {
                refused += 1
                continue
            }
            same += 1
            let expected = try JSONSerialization.jsonObject(with: Data(parts[1].utf8))
            #expect(
                Self.sorted(found) == Self.sorted(try #require(expected as? [Any])),
                "\(String(decoding: bytes, as: UTF8.self)) \(found) \(parts[1]) LANYARD_TEST_SEED=\(SeededRandom.seed)"
            )
        }
        #expect(same > Double(count) / 6 && refused <= mostRefused * same, "\(same) \(refused)")
    }

    private static func sorted(_ values: [Any]) -> [String] {
        values.map { value in
            let data = try? JSONSerialization.data(
                withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
            return String(decoding: data ?? Data(), as: UTF8.self)
        }.sorted()
    }

    /// Returns a value as random-yaml.py prints it.
    private static func plain(_ node: YAMLNode) -> Any {
        switch node.content {
        case .empty: NSNull()
        case .scalar(let value, _): String(decoding: Array(value), as: UTF8.self)
        case .mapping(let entries): ["map": entries.map { [$0.key, plain($0.node)] as [Any] }]
        case .sequence(let items): ["seq": items.map(plain)]
        }
    }
}
