import Foundation
import KeychainServices
import Testing

@testable import SealedStore
@testable import LinuxSystem

/// A keychain in a scratch folder of its own, removed with it.
final class ScratchKeychain: Sendable {
    let folder: String
    let location: KeychainLocation
    private let isOwned: Bool

    /// In memory where possible: every change waits for the disk several times.
    private static let root =
        access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()

    init(make: Bool = true) throws {
        // What opens keychains as the programs do, in a suite before this one, limits it in the whole process.
        SQLiteMemory.limit(to: 0)
        folder = "\(ScratchKeychain.root)/lanyard-\(UUID().uuidString)"
        location = ScratchKeychain.location(in: folder)
        isOwned = true
        if make {
            try SealedStore.make(at: location)
        } else {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false)
        }
    }

    /// Another process's scratch folder, which that process removes.
    init(adopting folder: String) {
        self.folder = folder
        location = ScratchKeychain.location(in: folder)
        isOwned = false
    }

    deinit {
        if isOwned {
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    private static func location(in folder: String) -> KeychainLocation {
        KeychainLocation(
            file: "\(folder)/data/login.keychain", stateFolder: "\(folder)/state")
    }

    /// The keychain, opened anew.
    func open() throws -> Keychain {
        Keychain(try openStore(), accessGroups: .all(addingTo: "test"))
    }

    func openStore(
        provider: (any PassphraseProvider)? = nil, busyTimeout: Int64 = 10_000
    ) throws -> SealedStore {
        try SealedStore(
            at: location, provider: provider, now: SystemCalls.now, busyTimeout: busyTimeout)
    }

    func setPassphrase(_ passphrase: String, isPortable: Bool = false) throws {
        try PassphraseChange.set(
            Secret(passphrase), isPortable: isPortable, of: try openStore()
        ).apply()
    }

    var dataFolder: String { "\(folder)/data" }
    var stateFolder: String { "\(folder)/state" }
    var machineKeyFile: String { "\(folder)/state/machine-key" }

    /// The file that keeps what was last seen of the keychain.
    func anchorFile() throws -> String { KeychainAnchor(location).path }

    /// The generation of the keybag that was last seen.
    func anchorGeneration() throws -> UInt64? { try KeychainAnchor(location).read()?.generation }

    /// Changes the generation that was last seen.
    func setAnchor(generation: UInt64) throws {
        let file = URL(fileURLWithPath: try anchorFile())
        var bytes = try Data(contentsOf: file)
        bytes.replaceSubrange(19..<27, with: generation.bigEndianBytes)
        try bytes.write(to: file)
    }

    /// What looking at all of it says, nil if it is right.
    func verification() -> KeychainError? {
        keychainError { _ = try openStore().verify() }
    }

    /// A new keychain with the password "one" for the server a.example.
    static func withItem() throws -> ScratchKeychain {
        let scratch = try ScratchKeychain()
        try scratch.open().add(
            .internetPassword, internetPassword("a.example"), secret: Secret("one"))
        return scratch
    }

    /// What reading the item of ``withItem()`` says, nil if it is right.
    func reading(_ provider: ScriptedProvider? = nil) -> KeychainError? {
        keychainError {
            let found = try secret(
                Keychain(try openStore(provider: provider), accessGroups: .all(addingTo: "test")),
                internetPassword("a.example"))
            #expect(found == "one")
        }
    }

    /// What adding an item says, nil if it works.
    func adding(_ server: ByteString = "b.example") -> KeychainError? {
        keychainError {
            try open().add(.internetPassword, internetPassword(server), secret: Secret("two"))
        }
    }

    /// How many items there are if everything is as it should be.
    func verified() -> Int? {
        var count: Int?
        let error = keychainError { count = try openStore().verify() }
        #expect(error == nil)
        return count
    }

    /// The bytes of the keychain file.
    func bytes() throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: location.file))
    }

    /// Replaces the keychain file's bytes.
    func write(_ bytes: Data) throws {
        try bytes.write(to: URL(fileURLWithPath: location.file))
    }

    /// All files under data and state, by their path in the scratch folder.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            files[path] = FileManager.default.contents(atPath: "\(folder)/\(path)")
        }
        return files
    }

    /// The names in the data and the state folder.
    func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    }

    /// What ``names()`` gives for a keychain at rest.
    static let namesAtRest = [
        "data", "data/login.keychain", "state", "state/login.anchor", "state/machine-key",
    ]
}

/// Attributes of an internet password, shortly.
func internetPassword(
    _ server: ByteString, account: ByteString? = nil, port: UInt16? = nil,
    path: ByteString? = nil, protocol: ProtocolType = .https
) -> ItemAttributes {
    var attributes = ItemAttributes()
    attributes.server = server
    attributes.account = account
    attributes.port = port
    attributes.path = path
    attributes.protocol = `protocol`
    return attributes
}

/// Attributes of a generic password, shortly.
func genericPassword(_ service: ByteString, account: ByteString? = nil) -> ItemAttributes {
    var attributes = ItemAttributes()
    attributes.service = service
    attributes.account = account
    return attributes
}

/// The secret of the first item that equals these attributes, as text.
func secret(
    _ keychain: Keychain, _ attributes: ItemAttributes,
    of itemClass: ItemClass = .internetPassword
) throws -> String {
    let query = Query(itemClass, attributes, returns: .data)
    guard case .item(let item) = try keychain.copyMatching(query) else {
        return "not one item"
    }
    return secretText(item) ?? "no secret"
}

/// What reading the item of ``ScratchKeychain/withItem()`` says, nil if it is right.
func reading(_ store: SealedStore) -> KeychainError? {
    keychainError {
        let found = try secret(
            Keychain(store, accessGroups: .all()), internetPassword("a.example"))
        #expect(found == "one")
    }
}

/// An item's secret as text, nil if it was not asked for.
func secretText(_ item: borrowing MatchedItem) -> String? {
    switch item.secret {
    case .some(let secret): text(secret)
    case .none: nil
    }
}

/// A secret's bytes as text.
func text(_ secret: borrowing Secret) -> String {
    secret.withBytes { ByteString(copying: $0).description }
}

/// A secret's bytes.
func bytes(_ digest: InlineArray<32, UInt8>) -> [UInt8] {
    ByteString(copying: digest.span).bytes
}

func bytes(_ secret: borrowing Secret) -> [UInt8] {
    secret.withBytes { ByteString(copying: $0).bytes }
}

func secretOf(_ bytes: [UInt8]) -> Secret {
    Secret(copying: bytes.span)
}

/// The error that a call ends with, nil if it succeeds. Any error but a ``KeychainError`` is an
/// issue.
func keychainError(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) -> KeychainError? {
    do {
        try body()
        return nil
    } catch let error as KeychainError {
        return error
    } catch {
        Issue.record("\(error)", sourceLocation: sourceLocation)
        return nil
    }
}

func makeFile(_ path: String, _ bytes: Data = Data(), mode: Int = 0o600) {
    let isMade = FileManager.default.createFile(
        atPath: path, contents: bytes, attributes: [.posixPermissions: mode])
    #expect(isMade)
}
