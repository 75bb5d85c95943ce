import Foundation
import TestSupport

/// The plugin that is an example for authors, as a keychain of another kind. It needs no desktop.
extension ScratchHome {
    /// Makes keychains that the example plugin keeps, each in a file of its own.
    func makePluginKeychains(_ names: String...) async throws {
        let example = URL(
            filePath:
                "\(Repository.path)/Tests/Keychain/KeychainPlugin/Plugins/lanyard-keychain-example")
        let folder = "\(path)/plugins"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let plugin = try write(
            String(contentsOf: example, encoding: .utf8), to: "plugins/example", mode: 0o700)
        for name in names {
            try configure(
                """
                [keychain "\(name)"]
                \tkind = example
                \tplugin = \(plugin)
                \tfile = \(folder)/\(name).json
                """)
        }
    }

    /// Adds lines to the configuration.
    func configure(_ lines: String) throws {
        let folder = "\(lanyard)/config"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let file = "\(folder)/config"
        let before = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        _ = try write("\(before)\(lines)\n", to: "lanyard/config/config")
    }

    /// Lets a plugin's keychain be out of reach, as a team's server may be.
    func breakPlugin() throws {
        _ = try write("#!/bin/sh\nexit 1\n", to: "plugins/example", mode: 0o700)
    }

    /// What one keychain answers for a name, nil if it has nothing.
    func secret(_ what: String, in keychain: String) async throws -> String? {
        let outcome = try await lanyard("get", what, "--keychain", keychain)
        return outcome.status == 0 ? String(outcome.outputText.dropLast()) : nil
    }
}
