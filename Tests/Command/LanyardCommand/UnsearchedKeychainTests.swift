import Foundation
import Keychains
import KeychainServices
import TestSupport
import Testing

@testable import LanyardConfiguration
@testable import LanyardCommand

/// Keychains in which tools find no login.
@Suite struct UnsearchedKeychainTests {
    private let folder: ScratchFolder
    private let places: Places

    init() throws {
        folder = try ScratchFolder()
        places = Places(home: "\(folder.path)/home")
    }

    private func unsearched(_ name: String?) throws -> UnsearchedKeychain? {
        try UnsearchedKeychain(name, Configuration(places: places))
    }

    @Test func theSearchListGetsOneMore() throws {
        var keychains = UserKeychains(try Configuration(places: places))
        try keychains.create("work")
        try keychains.create("spare")
        try keychains.setSearchList(["spare", "login"])
        let work = try unsearched("work")
        #expect(work?.name == "work")
        #expect(work?.command == "lanyard keychain search-list spare login work")
        #expect(try unsearched("spare") == nil)
        #expect(try unsearched(nil) == nil)
        try keychains.setSearchList(["spare", "login", "work"])
        #expect(try unsearched("work") == nil)
    }

    @Test func aDefaultKeychainIsSearched() throws {
        var keychains = UserKeychains(try Configuration(places: places))
        try keychains.create("work")
        try keychains.create("spare")
        try keychains.setDefault("work")
        #expect(try unsearched("work") == nil)
        #expect(try unsearched("spare")?.command == "lanyard keychain search-list work login spare")
    }
}
