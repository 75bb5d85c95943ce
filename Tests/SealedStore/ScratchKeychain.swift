import Foundation
import Keychain

@testable import SealedStore

/// A keychain in a scratch folder of its own, removed with it.
final class ScratchKeychain {
    let folder: String
    let location: KeychainLocation

    init(make: Bool = true) throws {
        folder = "\(NSTemporaryDirectory())/lanyard-\(UUID().uuidString)"
        location = KeychainLocation(
            file: "\(folder)/data/login.keychain", stateFolder: "\(folder)/state")
        if make {
            try SealedStore.make(at: location)
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The keychain, opened anew.
    func open() throws -> Keychain {
        Keychain(try openStore(), accessGroup: "test")
    }

    func openStore(busyTimeout: Int64 = 10_000) throws -> SealedStore {
        try SealedStore(at: location, now: SystemCalls.now, busyTimeout: busyTimeout)
    }

    var machineKeyFile: String { "\(folder)/state/machine-key" }

    /// The bytes of the keychain file.
    func bytes() throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: location.file))
    }

    func write(_ bytes: Data) throws {
        try bytes.write(to: URL(fileURLWithPath: location.file))
    }
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

/// The secret of the first item that equals these attributes, as text.
func secret(_ keychain: Keychain, _ attributes: ItemAttributes) throws -> String {
    let query = Query(.internetPassword, attributes, returns: .data)
    guard case .item(let item) = try keychain.copyMatching(query) else {
        return "not one item"
    }
    switch item.secret {
    case .some(let secret):
        return secret.withBytes { ByteString(copying: $0).description }
    case .none:
        return "no secret"
    }
}
