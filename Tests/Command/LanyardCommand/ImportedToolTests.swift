import ArgumentParser
import LanyardTransfer
import KeychainServices
import PlainTextFormats
import PlainTextScan
import TestSupport
import Testing
import ToolCatalog

@testable import LanyardCommand

/// Every plain-text file that a scan knows can be imported, or the table says why not.
@Suite("tools whose files can be imported")
struct ImportedToolTests {
    /// Files of the tools that have a reader of their own, with a secret at each place that a scan knows.
    private static let samples = [
        "aws": "[a]\naws_access_key_id = i\naws_secret_access_key = SECRET\n",
        "cargo": "[registry]\ntoken = \"SECRET\"\n[registries.x]\ntoken = \"SECRET\"\n",
        "gradle": "aPassword=SECRET\naToken=SECRET\na_token=SECRET\naSecret=SECRET\n",
        "kubectl": """
        clusters:
        - cluster:
            server: https://k.example
          name: k
        contexts:
        - context:
            cluster: k
            user: a
          name: a
        - context:
            cluster: k
            user: b
          name: b
        users:
        - name: a
          user:
            token: SECRET
        - name: b
          user:
            client-certificate-data: Yw==
            client-key-data: SECRET
        - name: c
          user:
            username: c
            password: SECRET

        """,
        "npm": """
        //a.example/:_authToken=SECRET
        //a.example/:_password=SECRET
        //a.example/:_auth=SECRET
        _auth=SECRET
        _authToken=SECRET

        """,
        "nuget": """
        <configuration><packageSources><add key="a" value="https://a.example/"/></packageSources>
        <packageSourceCredentials><a><add key="Username" value="u"/>
        <add key="ClearTextPassword" value="SECRET"/></a></packageSourceCredentials></configuration>
        """,
        "pypirc": "[pypi]\nusername = u\npassword = SECRET\n",
        "terraform": "{\"credentials\": {\"a.example\": {\"token\": \"SECRET\"}}}",
        "uv":
            "[[credential]]\nservice = \"https://a.example/\"\nusername = \"u\"\npassword = \"SECRET\"\n",
        "vault": "SECRET\n",
    ]

    private func records(
        _ format: any ImportFormat, _ text: String
    ) throws(KeychainError) -> [ImportRecord] {
        var records: [ImportRecord] = []
        try format.read(Secret(text)) { record throws(KeychainError) in records.append(record) }
        return records
    }

    private func reason(_ record: ImportRecord) -> String? {
        if case .skipped(let reason, _) = record.content { reason } else { nil }
    }

    private static let blocksOfTerraform = "credentials \"h.example\" {\n  token = \"SECRET\"\n}\n"

    @Test(arguments: KnownFile.belowHome)
    func aFileThatAScanKnowsHasAReader(file: KnownFile) throws {
        let tool = try #require(ImportedTool.named(file.tool), "\(file.path)")
        guard case .values(let format, let places, _) = file.content else {
            Issue.record("\(file.path) has no values")
            return
        }
        let described = ToolProfile(program: file.tool)?.plainText.first { $0.path == file.path }
        let secrets = described?.keys.filter { $0.holds == .secret } ?? []
        // Those of profiles, and those that the table excludes, are in the next test.
        guard ImportedTool.isOfHelper(file.tool),
            secrets.isEmpty || secrets.contains(where: { $0.exclusion == nil })
        else {
            return
        }
        let sample = format == .hcl ? Self.blocksOfTerraform : Self.samples[file.tool]
        let text = try #require(sample, "\(file.path)")
        let values = try PlainTextValues.read(Array(text.utf8).span, format)
        let files = try tool.files("/nowhere/\(file.path)")
        let records = try records(files.format(of: "/nowhere/\(file.path)"), text)
        for place in places {
            // As the scan finds it.
            let key = PlainTextKey(place, holds: .secret)
            #expect(values.contains { key.matches($0.path) }, "\(file.path) \(place)")
        }
        let count = text.split(separator: "SECRET", omittingEmptySubsequences: false).count - 1
        #expect(records.count == count, "\(file.path)")
        #expect(records.contains { reason($0) == nil })
        try checkCuts(files.format(of: "/nowhere/\(file.path)"), format, text)
    }

    /// cargo reads the older file first.
    @Test func theFileThatNamesCargosIndexes() throws {
        let folder = try ScratchFolder()
        let tokens = "[registries.mine]\ntoken = \"t\"\n"
        let path = try folder.write("credentials.toml", tokens.utf8)
        _ = try folder.write("config.toml", "[net]\n".utf8)
        _ = try folder.write(
            "config", "[registries.mine]\nindex = \"https://cargo.example/index\"\n".utf8)
        let files = try #require(ImportedTool.named("cargo")).files(path)
        #expect(try records(files.format, tokens).compactMap(secret) == ["t"])
    }

    /// Each secret of a profile's file becomes an item, or the table says why not, and the import says that, too.
    @Test(arguments: ToolProfile.all.filter { !$0.plainText.isEmpty }.map(\.name))
    func aProfilesFileHasAReader(name: String) throws {
        let profile = try #require(ToolProfile(program: name))
        for file in profile.plainText {
            for key in file.keys where key.holds == .secret {
                let others = file.keys.filter {
                    $0.holds != .secret && $0.path.dropLast() == key.path.dropLast()
                        // An account may be for every section.
                        || $0.holds == .account && $0.path.count == key.path.count
                            && PlainTextKey(Array($0.path.dropLast()), holds: .account)
                                .matches(Self.names(key.path.dropLast()))
                        // The name of an element comes before what is deeper in it.
                        || $0.holds == .scope && $0.path.count < key.path.count
                            && key.path.starts(with: $0.path.dropLast())
                }
                let text = Self.sample(file.format, [key] + others)
                let records = try records(ProfileFile(profile, file), text)
                let reasons = records.compactMap(reason)
                switch key.exclusion {
                case nil: #expect(!records.isEmpty && reasons.isEmpty, "\(file.path) \(reasons)")
                case .session: #expect(reasons == ["it belongs to a session that \(name) renews"])
                case .otherUse: #expect(reasons == ["lanyard run can't pass it to \(name)"])
                case .encrypted: #expect(reasons == ["\(name) encrypts it itself"])
                }
                try checkCuts(
                    ProfileFile(profile, file), file.format, text,
                    besides: profile.addresses.compactMap(\.usual))
            }
        }
    }

    @Test(arguments: [
        ("npm", PlainTextFormat.ini, "//a.example/:_authToken=\"SECRET\"\n"),
        ("gh", .yaml, "github.com:\n  user: \"ada\"\n  oauth_token: \"SECRET\"\n"),
        ("stripe", .toml, "[default]\nlive_mode_api_key = 'SECRET'\n"),
    ])
    func quotedSecrets(name: String, format: PlainTextFormat, text: String) throws {
        let path = "/nowhere/file"
        let tool = try #require(ImportedTool.named(name))
        try checkCuts(tool.files(path).format(of: path), format, text, isQuoted: true)
    }

    /// Cuts a file off at every byte. JSON and XML are refused then; of a secret in quotes nothing is imported without
    /// the second of them; no line has more than what is left of it.
    ///
    /// - Parameter others: What an item without an address gets.
    private func checkCuts(
        _ reader: any ImportFormat, _ format: PlainTextFormat, _ text: String,
        isQuoted: Bool = false, besides others: [String] = []
    ) throws {
        let whole = try records(reader, text).compactMap(secret) + others
        let isWhole = isQuoted || [.json, .xml, .toml].contains(format)
        let wrong = text.indices.filter { end in
            let cut = String(text[..<end])
            let isClosed = text[end...].allSatisfy(\.isWhitespace)
            do throws(KeychainError) {
                let found = try records(reader, cut).compactMap(secret)
                return [.json, .xml].contains(format) && !cut.isEmpty && !isClosed
                    || found.contains { secret in
                        !whole.contains { isWhole ? $0 == secret : $0.hasPrefix(secret) }
                    }
            } catch {
                return isClosed || error.status != .decode
                    || !error.reason.contains("line") && !error.reason.contains("byte")
            }
        }
        #expect(wrong.isEmpty, "\(wrong.map { text[..<$0] })")
    }

    private func secret(_ record: ImportRecord) -> String? {
        guard case .item(let item) = record.content else {
            return nil
        }
        return item.secret.withBytes { ByteString(copying: $0).description }
    }

    @Test func theHelpNamesEveryTool() {
        for command in [ImportCommand.self, ImportToolCommand.self] as [any ParsableCommand.Type] {
            let help = LanyardCommand.helpMessage(for: command, columns: 1_000)
            for tool in ImportedTool.all {
                #expect(help.contains(" \(tool.name),") || help.contains(" \(tool.name)."))
            }
        }
    }

    /// Names that match steps.
    private static func names(_ steps: ArraySlice<PlainTextKey.Step>) -> [String] {
        steps.map { step in
            switch step {
            case .named(let name): name
            case .any: "x"
            case .ending(let end): "x\(end)"
            case .starting(let start): "\(start)x"
            }
        }
    }

    /// Returns a file with a value at each place.
    private static func sample(_ format: PlainTextFormat, _ keys: [PlainTextKey]) -> String {
        let places = keys.map { names($0.path[...]) }
        let values = keys.indices.map { "value\($0)" }
        switch format {
        case .singleLine: return "\(values[0])\n"
        case .pgpass: return "h:5432:*:ada:\(values[0])\n"
        case .netrc: return "machine \(places[0][0]) login ada password \(values[0])\n"
        case .ini, .properties, .toml:
            var text = ""
            for (place, value) in zip(places, values) {
                // A section of INI has brackets around all of its name.
                let section = place.dropLast().map { format == .toml ? "\"\($0)\"" : $0 }
                if !section.isEmpty, !text.contains("[\(section.joined(separator: "."))]") {
                    text += "[\(section.joined(separator: "."))]\n"
                }
                text += "\(place.last ?? "") = \(format == .toml ? "\"\(value)\"" : value)\n"
            }
            return text
        case .json:
            // Their parents are the same.
            let parent = places[0].dropLast()
            let members = zip(places, values).map { "\"\($0.last ?? "")\": \"\($1)\"" }
            return parent.map { "{\"\($0)\": " }.joined()
                + "{\(members.joined(separator: ", "))}" + parent.map { _ in "}" }.joined()
        case .yaml:
            let parent = places[0].dropLast()
            func members(_ depth: Int) -> String {
                zip(places, values).filter { $0.0.count == depth + 1 }.map {
                    String(repeating: "  ", count: depth) + "\($0.last ?? ""): \($1)\n"
                }.joined()
            }
            return parent.enumerated().map {
                members($0) + String(repeating: "  ", count: $0) + "\($1):\n"
            }.joined() + members(parent.count)
        case .hcl:
            let members = zip(places, values).map { "\($0.last ?? "") = \"\($1)\"\n" }
            return "\(places[0].dropLast().joined(separator: " ")) {\n\(members.joined())}\n"
        case .xml:
            let parent = places[0].dropLast()
            let members = zip(places, values).map { place, value in
                let name = place.last ?? ""
                return "<\(name)>\(value)</\(name)>"
            }
            return (parent.map { "<\($0)>" } + members + parent.reversed().map { "</\($0)>" })
                .joined()
        }
    }
}
