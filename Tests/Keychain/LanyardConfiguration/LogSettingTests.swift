import Foundation
import KeychainServices
import Testing

@testable import LanyardConfiguration

@Suite("whether uses are logged") struct LogSettingTests {
    private let home = FileManager.default.temporaryDirectory
        .appending(path: "lanyard-\(UUID().uuidString)").path

    private func configuration(_ text: String) throws -> Configuration {
        let places = Places(home: home)
        return try Configuration(places: places, proposed: Array(text.utf8), "")
    }

    @Test(arguments: [
        ("", false, false), ("[lanyard]\nlog = yes\n", true, true),
        ("[lanyard]\nlog = true\n[keychain \"work\"]\nlog = false\n", true, false),
        ("[keychain \"work\"]\nlog = on\n", false, true),
        ("[lanyard]\nlog = 0\n", false, false),
    ])
    func aKeychainsOwnSettingCounts(_ text: String, login: Bool, work: Bool) throws {
        let configuration = try configuration(text)
        #expect(try configuration.logsUses(ofKeychain: "login") == login)
        #expect(try configuration.logsUses(ofKeychain: "work") == work)
        #expect(configuration.unknownSettings.isEmpty && configuration.mistakes.isEmpty)
    }

    @Test(arguments: ["[lanyard]\nlog = perhaps\n", "[keychain \"login\"]\nlog =\n"])
    func anythingElseIsAnError(_ text: String) throws {
        let configuration = try configuration(text)
        #expect(throws: KeychainError(.param)) {
            try configuration.logsUses(ofKeychain: "login")
        }
        #expect(configuration.mistakes.map(\.status) == [.param])
    }
}
