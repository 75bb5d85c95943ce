import Foundation
import KeychainServices
import Testing

@testable import ToolSetup

/// Tools that take a helper's path in a text file.
@Suite struct SettingsSetupTests {
    /// A setup, its file below the home folder, the file before and after; `HELPER` is the path of the helper.
    struct Case: Sendable, CustomTestStringConvertible {
        let tool: Tool
        var names: [String] = []
        let file: String
        let before: String?
        let after: String

        var testDescription: String { "\(tool.name): \(before ?? "no file")" }
    }

    private static let cases = [
        Case(
            tool: .cargo, file: ".cargo/config.toml", before: nil,
            after: "[registry]\nglobal-credential-providers = [\"HELPER\"]\n"),
        Case(
            tool: .cargo, file: ".cargo/config.toml",
            before: "[registry]\r\ndefault = \"mine\"\r\n\r\n[net]\r\noffline = true",
            after: "[registry]\r\ndefault = \"mine\"\r\n"
                + "global-credential-providers = [\"HELPER\"]\n\r\n[net]\r\noffline = true\n"),
        Case(
            tool: .cargo, file: ".cargo/config.toml", before: "[net]\noffline = true\n",
            after: "[net]\noffline = true\n\n[registry]\n"
                + "global-credential-providers = [\"HELPER\"]\n"),
        Case(
            tool: .aws, names: ["default", "work"], file: ".aws/config",
            before: "[profile work]\nregion = eu-west-1\n",
            after: "[profile work]\nregion = eu-west-1\ncredential_process = HELPER work\n\n"
                + "[default]\ncredential_process = HELPER default\n"),
        Case(
            tool: .terraform, file: ".terraformrc", before: "plugin_cache_dir = \"x\"\n\n",
            after: "plugin_cache_dir = \"x\"\ncredentials_helper \"lanyard\" {}\n\n"),
        Case(
            tool: .keyring, file: ".config/uv/uv.toml", before: "offline = true\n[pip]\n",
            after: "offline = true\nkeyring-provider = \"subprocess\"\n[pip]\n"),
        Case(
            tool: .podmanSecrets, file: ".config/containers/containers.conf", before: nil,
            after: """
                [secrets]
                driver = "shell"

                [secrets.opts]
                list = "HELPER list"
                lookup = "HELPER lookup"
                store = "HELPER store"
                delete = "HELPER delete"

                """),
        Case(
            tool: .pnpm, names: ["https://npm.example.com"], file: ".npmrc",
            before: "save-exact=true\n",
            after: "save-exact=true\n//npm.example.com/:tokenHelper=HELPER "
                + "https://npm.example.com/\n"),
    ]

    private func home(_ tool: Tool) throws -> (ScratchHome, helper: String) {
        let home = try ScratchHome()
        let helper = try #require(tool.format?.helper)
        try home.script(helper, "exit 1")
        return (home, "\(home.folder)/bin/\(helper)")
    }

    @Test("setup adds its lines, undo leaves every byte", arguments: cases)
    func setUpAndUndo(_ test: Case) async throws {
        let (home, helper) = try home(test.tool)
        if let before = test.before {
            try home.write(test.file, before)
        }
        let tree = try home.tree()
        let setup = ToolSetup(test.tool, home.environment, names: test.names)
        try setup.apply(try await setup.plan())
        #expect(
            try home.read(test.file)
                == test.after.replacingOccurrences(of: "HELPER", with: helper))
        #expect(try await setup.plan().isEmpty)
        try home.undo(test.tool)
        #expect(try home.tree() == tree)
    }

    /// What else was changed since remains.
    @Test(arguments: cases)
    func undoAfterAChange(_ test: Case) async throws {
        let (home, _) = try home(test.tool)
        if let before = test.before {
            try home.write(test.file, before)
        }
        let setup = ToolSetup(test.tool, home.environment, names: test.names)
        try setup.apply(try await setup.plan())
        try home.write(test.file, "# mine\n\(try home.read(test.file))")
        try home.undo(test.tool)
        let rest = try home.read(test.file)
        #expect(rest.hasPrefix("# mine\n") && !rest.contains("lanyard"), "\(rest)")
        for line in (test.before ?? "").split(whereSeparator: \.isNewline) {
            #expect(rest.contains(line))
        }
    }

    @Test func scripts() async throws {
        for (tool, file) in [
            (Tool.terraform, ".terraform.d/plugins/terraform-credentials-lanyard"),
            (.keyring, ".local/bin/keyring"),
        ] {
            let (home, helper) = try home(tool)
            try await home.setUp(tool)
            #expect(try home.read(file) == "#!/bin/sh\nexec \(helper) \"$@\"\n")
            #expect(try home.mode(file) == 0o755)
            try home.undo(tool)
            #expect(!home.exists(file))
        }
    }

    @Test(
        "another helper is not displaced",
        arguments: [
            (
                Tool.cargo, ".cargo/config.toml",
                "[registry]\nglobal-credential-providers = [\"x\"]\n"
            ),
            (.vault, ".vault", "token_helper = \"/opt/helper\"\n"),
            (.keyring, ".local/bin/keyring", "#!/usr/bin/python3\n"),
            (.gpg, ".gnupg/gpg-agent.conf", "pinentry-program /usr/bin/pinentry-qt\n"),
        ])
    func conflict(_ tool: Tool, _ file: String, _ text: String) async throws {
        let (home, _) = try home(tool)
        try home.write(file, text)
        let tree = try home.tree()
        let setup = home.setup(tool)
        let error = await #expect(throws: KeychainError.self) { try await setup.plan() }
        #expect(
            error?.status == .param && error?.reason.contains(file) == true,
            "\(String(describing: error))")
        #expect(try home.tree() == tree)
    }

    @Test func damage() async throws {
        let (home, helper) = try home(.vault)
        try await home.setUp(.vault)
        var damage = try SettingsDamage(.vault, home.environment)
        #expect(damage.changed.isEmpty && damage.missing.isEmpty)
        try FileManager.default.removeItem(atPath: helper)
        damage = try SettingsDamage(.vault, home.environment)
        #expect(damage.changed.isEmpty && damage.missing == [helper])
        try home.write(".vault", "")
        damage = try SettingsDamage(.vault, home.environment)
        #expect(damage.changed == [home.path(".vault")] && damage.missing.isEmpty)
    }

    @Test("names are checked", arguments: [[], ["a b"], ["a]"], ["a\n[x]"], ["a=b"], [""]])
    func names(names: [String]) async throws {
        let (home, _) = try home(.aws)
        let setup = ToolSetup(.aws, home.environment, names: names)
        let error = await #expect(throws: KeychainError.self) { try await setup.plan() }
        #expect(error?.status == .param)
    }

    @Test("a folder that a tool would split is refused")
    func splitPath() async throws {
        let (home, helper) = try home(.bazel)
        let folder = "\(home.folder)/a b"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            atPath: helper, toPath: "\(folder)/bazel-credential-lanyard")
        home.variables["PATH"] = folder
        let setup = home.setup(.bazel)
        let error = await #expect(throws: KeychainError.self) { try await setup.plan() }
        #expect(error?.status == .param)
    }
}
