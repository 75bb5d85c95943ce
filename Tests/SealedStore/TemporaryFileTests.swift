import Foundation
import Keychain
import Testing

@testable import LinuxSystem

@Suite("Temporary file") struct TemporaryFileTests {
    /// On a file system that knows no second names.
    @Test(arguments: [EPERM, EOPNOTSUPP])
    func isMadeWithoutLinks(code: Int32) throws {
        let folder = "\(NSTemporaryDirectory())/lanyard-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/x"
        for (text, isMade) in [("first", true), ("second", false)] {
            let injection = Injection("link", 1, code)
            let result = try SystemCalls.$injectedError.withValue({ injection.error($0) }) {
                let file = try TemporaryFile(beside: path)
                try file.append(Array(text.utf8).span)
                return try file.make()
            }
            #expect(injection.hasFailed)
            #expect(result == isMade)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "first")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["x"])
    }
}
