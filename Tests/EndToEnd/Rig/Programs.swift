import Foundation
import Glibc
import TestSupport

/// Where the programs under test are.
enum Programs {
    /// The folder of the built programs: LANYARD_BIN_DIR, else the one that the tests were built
    /// into, with its links resolved.
    static func folder() throws -> String {
        try found.get()
    }

    private static let found = Result { () throws -> String in
        if let folder = ProcessInfo.processInfo.environment["LANYARD_BIN_DIR"], !folder.isEmpty {
            return try checked(folder, "LANYARD_BIN_DIR names")
        }
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        return try checked(
            tests.deletingLastPathComponent().path,
            "LANYARD_BIN_DIR is not set, and beside the tests is")
    }

    private static func checked(_ folder: String, _ origin: String) throws -> String {
        guard let resolved = realpath(folder, nil) else {
            throw Missing(description: "\(origin) '\(folder)', and there is no such folder")
        }
        defer { free(resolved) }
        let path = String(cString: resolved)
        for name in commands {
            guard access("\(path)/\(name)", X_OK) == 0 else {
                throw Missing(
                    description: "\(origin) '\(path)', and there is no \(name) in it: "
                        + "build it, and set LANYARD_BIN_DIR to its folder")
            }
        }
        return path
    }

    /// The first names of all programs: each has a folder in helpers.
    static let commands: [String] = {
        let helpers = "\(Repository.path)/helpers"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: helpers)) ?? []
        return names.filter {
            FileManager.default.fileExists(atPath: "\(helpers)/\($0)/main.swift")
        }.sorted()
    }()

    /// Whether the plugin for the Secret Service is there, which can be left out.
    static var hasPlugin: Bool {
        let folder = (try? folder()) ?? ""
        return access("\(folder)/lanyard-keychain-secret-service", X_OK) == 0
    }

    struct Missing: Error, CustomStringConvertible {
        let description: String
    }
}
