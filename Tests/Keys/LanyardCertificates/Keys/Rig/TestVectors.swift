import Foundation
import LanyardSecrets

/// Project Wycheproof's files of test vectors, in the folder `testvectors_v1` that
/// LANYARD_TEST_VECTORS names.
enum TestVectors {
    static let folder: String? = {
        let folder = ProcessInfo.processInfo.environment["LANYARD_TEST_VECTORS"]
        if folder == nil {
            print("skipped: LANYARD_TEST_VECTORS names no folder of Project Wycheproof's vectors")
        }
        return folder
    }()

    /// The names of the files that begin in one of these ways, without `.json`.
    static func files(_ prefixes: String..., except: [String] = []) -> [String] {
        guard let folder, let all = try? FileManager.default.contentsOfDirectory(atPath: folder)
        else {
            return []
        }
        return all.filter { name in
            name.hasSuffix("_test.json") && prefixes.contains { name.hasPrefix($0) }
                && !except.contains { name.contains($0) }
        }.map { String($0.dropLast(5)) }.sorted()
    }

    /// Reads a file's groups of tests.
    static func groups(_ file: String) throws -> [Group] {
        let data = try Data(contentsOf: URL(filePath: "\(folder ?? "")/\(file).json"))
        return try JSONDecoder().decode(File.self, from: data).testGroups
    }

    struct File: Decodable {
        let testGroups: [Group]
    }

    /// Tests with the same key.
    struct Group: Decodable {
        let publicKeyDer: String?
        let publicKeyAsn: String?
        let privateKeyPkcs8: String?
        let sha: String?
        let mgf: String?
        let mgfSha: String?
        let sLen: Int?
        let curve: String?
        let tests: [Vector]
    }

    /// One test; which fields there are depends on the file.
    struct Vector: Decodable, CustomStringConvertible {
        let tcId: Int
        let comment: String
        let flags: [String]
        let result: String
        let msg: String?
        let sig: String?
        let ct: String?
        let label: String?
        let key: String?
        let `public`: String?
        let `private`: String?
        let shared: String?

        var isValid: Bool { result == "valid" }
        var description: String { "\(tcId) (\(comment), \(flags))" }
    }
}

extension String? {
    /// The bytes of hexadecimal digits.
    var bytes: [UInt8] { Hexadecimal.decode((self ?? "").utf8) ?? [] }
}
