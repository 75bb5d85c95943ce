import TestSupport
import Testing

@testable import LanyardConfiguration
@testable import Keychains

/// What is noted of items that went into another keychain than they were meant for.
@Suite struct StoredElsewhereTests {
    @Test func eachPairIsNotedUntilItIsBroughtHome() throws {
        let folder = try ScratchFolder()
        let noted = StoredElsewhere(Places(home: "\(folder.path)/home"))
        #expect(noted.entries.isEmpty)
        for _ in 0..<2 {
            noted.add("login", home: "secret-service")
            noted.add("my.vault-2", home: "team")
        }
        let entries = noted.entries.map { [$0.keychain, $0.home] }
        #expect(entries == [["login", "secret-service"], ["my.vault-2", "team"]])
        noted.remove("login", home: "secret-service")
        noted.remove("login", home: "nothing")
        #expect(noted.entries.map(\.home) == ["team"])
    }
}
