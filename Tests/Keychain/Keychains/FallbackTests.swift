import KeychainServices
import LinuxSystem
import TestSupport
import Testing

@testable import LanyardConfiguration
@testable import Keychains

/// What is stored while the default keychain can't be used.
@Suite struct FallbackTests {
    private let folder: ScratchFolder
    private let places: Places

    init() throws {
        folder = try ScratchFolder()
        places = Places(home: "\(folder.path)/home")
    }

    /// The default keychain is on a disk that is not mounted.
    private func keychain(fallback: String) throws -> Keychain {
        try PrivatePlace.makeFolder(places.configuration)
        let text = """
            [lanyard]
            default = work
            \(fallback)
            [keychain "work"]
            file = /none/work

            """
        try PrivatePlace.replaceFile(Configuration.file(places), Array(text.utf8).span)
        return try SearchListStore(
            flag: nil, configuration: Configuration(places: places), isSilent: true
        ).keychain(accessGroups: AccessGroups("test"))
    }

    private func add(to keychain: Keychain) throws(KeychainError) {
        var attributes = ItemAttributes()
        attributes.service = "x"
        attributes.account = "ada"
        try keychain.add(.genericPassword, attributes, secret: Secret("a password"))
    }

    @Test func storingInATransactionGoesThere() throws {
        let keychain = try keychain(fallback: "fallback = login")
        try keychain.transaction { () throws(KeychainError) in
            try add(to: keychain)
        }
        #expect(try keychain.password(service: "x", account: "ada") == "a password")
        #expect(StoredElsewhere(places).entries.map(\.keychain) == ["login"])
    }

    /// The note is made first, and goes again.
    @Test func whatIsNotStoredIsNotNoted() throws {
        let keychain = try keychain(fallback: "fallback = nowhere")
        #expect(throws: KeychainError(.noSuchKeychain)) {
            try add(to: keychain)
        }
        #expect(StoredElsewhere(places).entries.isEmpty)
    }

    @Test func withoutOneItFails() throws {
        let keychain = try keychain(fallback: "")
        #expect(throws: KeychainError(.noSuchKeychain)) {
            try add(to: keychain)
        }
        #expect(StoredElsewhere(places).entries.isEmpty)
    }
}
