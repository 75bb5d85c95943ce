import Foundation
import Glibc
import Testing

@testable import SealedStore

@Suite("Leftover files") struct LeftoverTests {
    /// Those of this keychain that nothing writes any more, and no other file.
    @Test func areTheOldTemporaryFilesOfThisKeychain() throws {
        let scratch = try ScratchKeychain()
        let digits = "0123456789abcdef"
        let old = [
            "data/login.keychain.new-\(digits)", "state/machine-key.new-\(digits)",
            "state/login.anchor.new-\(digits)",
        ]
        let others = [
            "data/login.keychain.new-\(digits.dropLast())", "data/login.keychain.new-\(digits)0",
            "data/login.keychain.new-0123456789abcdeF", "data/login.keychain.news",
            "data/work.keychain.new-\(digits)", "state/work.anchor.new-\(digits)",
            "state/login.keychain.new-\(digits)",
        ]
        let present = "data/login.keychain.new-fedcba9876543210"
        for name in old + others + [present] {
            makeFile("\(scratch.folder)/\(name)")
        }
        let hoursAgo = Date(timeIntervalSinceNow: -3700)
        for name in old + others {
            try FileManager.default.setAttributes(
                [.modificationDate: hoursAgo], ofItemAtPath: "\(scratch.folder)/\(name)")
        }
        #expect(
            try scratch.openStore().leftovers()
                == old.map { "\(scratch.folder)/\($0)" }.sorted())
    }
}
