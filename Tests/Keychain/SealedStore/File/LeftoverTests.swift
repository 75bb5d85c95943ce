import Foundation
import Glibc
import LanyardSecrets
import Testing

@testable import LinuxSystem
import KeychainServices
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
        let written = "data/login.keychain.new-aaaaaaaaaaaaaaaa"
        for name in old + others + [present, written] {
            makeFile("\(scratch.folder)/\(name)")
        }
        let hoursAgo = Date(timeIntervalSinceNow: -3700)
        for name in old + others + [written] {
            try FileManager.default.setAttributes(
                [.modificationDate: hoursAgo], ofItemAtPath: "\(scratch.folder)/\(name)")
        }
        let lock = Descriptor(
            owning: try SystemCalls.open("\(scratch.folder)/\(written)", O_RDWR))
        #expect(
            try SystemCalls.lock(byte: TemporaryFile.lockedByte, of: lock.number, .exclusive))
        #expect(
            try scratch.openStore().leftovers()
                == old.map { "\(scratch.folder)/\($0)" }.sorted())
        extendLifetime(lock)
    }

    /// Replacing a file for good removes those that killed programs left of it, and none that is being written.
    @Test func areRemovedByTheNextReplacement() throws {
        let scratch = try ScratchKeychain()
        let path = "\(scratch.folder)/state/some"
        let hoursAgo = Date(timeIntervalSinceNow: -3700)
        func make(_ digit: String, isOld: Bool = true) throws -> String {
            let left = "\(path).new-\(String(repeating: digit, count: 16))"
            makeFile(left)
            if isOld {
                try FileManager.default.setAttributes(
                    [.modificationDate: hoursAgo], ofItemAtPath: left)
            }
            return left
        }
        let left = try [make("a"), make("b")]
        let young = try make("c", isOld: false)
        let written = try TemporaryFile(beside: path)
        try FileManager.default.setAttributes(
            [.modificationDate: hoursAgo], ofItemAtPath: written.temporary)
        try PrivatePlace.replaceFile(path, [1].span, syncsFolder: false)
        #expect(left.allSatisfy(FileManager.default.fileExists))
        try PrivatePlace.replaceFile(path, [2].span)
        #expect(!left.contains(where: FileManager.default.fileExists))
        #expect(FileManager.default.fileExists(atPath: young))
        #expect(FileManager.default.fileExists(atPath: written.temporary))
        try written.replace()
        #expect(try PrivatePlace.read(path, limit: 9).count == 0)
    }

    @Test func ofAKilledCheckAreRemovedByTheNextOne() throws {
        let scratch = try ScratchKeychain.withItem()
        let left = "\(scratch.location.file).new-0123456789abcdef"
        makeFile(left)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3700)], ofItemAtPath: left)
        #expect(try scratch.openStore().verification().isSound)
        #expect(!FileManager.default.fileExists(atPath: left))
    }
}
