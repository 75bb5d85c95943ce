import KeychainServices
import TestSupport
import SealedStore
import SyncEngine
import SyncConformance
import Testing

@testable import KeychainSync

/// A machine of a test with its own keychain.
final class Machine {
    let store: SealedStore
    let place: SharedKeychain.Place
    private let folder: ScratchFolder
    private let server: MemoryServer

    init(_ server: MemoryServer) throws {
        self.server = server
        folder = try ScratchFolder()
        let location = KeychainLocation(
            file: "\(folder.path)/data/work.keychain", stateFolder: "\(folder.path)/state")
        store = try SealedStore.openOrMake(at: location)
        place = SharedKeychain.Place(
            name: "work", stateFolder: location.stateFolder, keychainFile: location.file)
    }

    var connect: SharedKeychain.Connect {
        let server = server
        return { (_, _) throws(KeychainError) in server }
    }

    func open() throws -> SharedKeychain {
        try SharedKeychain(place, store, connect: connect)
    }

    func create(isForSynchronizable: Bool = false) throws {
        let shared = try SharedKeychain.create(
            place, store, team: "work", address: "memory",
            isForSynchronizable: isForSynchronizable, person: "ada", device: "laptop",
            connect: connect)
        _ = try shared.exchange()
    }

    /// The code of an invitation.
    var invitation: String { get throws { try Invitation(to: open().roster).code } }

    /// Joins the team, with an owner's approval.
    func join(
        _ owner: Machine, _ person: String, _ role: Role = .member,
        isForSynchronizable: Bool = false
    ) throws {
        let code = try owner.invitation
        let card = try SharedKeychain.join(
            place, store, address: "memory", code: code,
            isForSynchronizable: isForSynchronizable, person: person, device: "server",
            connect: connect
        ).card
        #expect(throws: KeychainError(.missingEntitlement)) { try exchange() }
        let shared = try owner.open()
        _ = try shared.exchange()
        #expect(shared.requests.map(\.code) == [card.code])
        try shared.changeRoster { engine throws(KeychainError) in try engine.add(card, role) }
        try exchange()
    }

    /// Gives another machine's device a role.
    func setRole(of other: Machine, _ role: Role) throws {
        let device = try other.open().card.id
        try open().changeRoster { engine throws(KeychainError) in
            try engine.setRole(of: device, to: role)
        }
    }

    @discardableResult
    func exchange() throws -> SyncReport {
        try open().exchange()
    }

    func isUpToDate() throws -> Bool {
        try SharedKeychain.isUpToDate(place, store, connect: connect)
    }

    // MARK: Items

    private func attributes(_ service: String, _ isSynchronizable: Bool) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.service = ByteString(service)
        attributes.accessGroup = "login"
        attributes.accessible = .whenUnlocked
        attributes.synchronizable = isSynchronizable ? true : nil
        return attributes
    }

    func add(
        _ service: String, _ secret: String, isSynchronizable: Bool = false,
        _ accessible: Accessibility = .whenUnlocked, group: ByteString = "login"
    ) throws(KeychainError) {
        var attributes = attributes(service, isSynchronizable)
        attributes.accessible = accessible
        attributes.accessGroup = group
        _ = try store.add(.genericPassword, attributes, secret: Secret(secret))
    }

    func set(_ service: String, _ secret: String) throws {
        let count = try store.update(query(service), ItemAttributes(), secret: Secret(secret))
        #expect(count == 1)
    }

    func label(_ service: String, _ label: String) throws {
        var changes = ItemAttributes()
        changes.label = ByteString(label)
        #expect(try store.update(query(service), changes, secret: nil) == 1)
    }

    func remove(_ service: String) throws {
        #expect(try store.delete(query(service)) == 1)
    }

    private func query(_ service: String) -> Query {
        var attributes = ItemAttributes()
        attributes.service = ByteString(service)
        var query = Query(.genericPassword, attributes)
        query.synchronizable = .any
        return query
    }

    /// The only history of an item of a service.
    func history(_ service: String) throws -> SharedKeychain.ItemHistory {
        let found = try open().history(of: query(service))
        try #require(found.count == 1)
        return found[0]
    }

    /// The services in the keychain, those that were stored last first.
    func services() throws -> [String] {
        var services: [String] = []
        try store.forEachMatch(Query(.genericPassword, returns: .attributes)) {
            item throws(KeychainError) in
            if let attributes = item.attributes, !TeamDevice.isDevice(attributes) {
                services.append(attributes.service!.description)
            }
            return .next
        }
        return services
    }

    /// The services and secrets in the keychain, but for the device's own keys.
    func secrets() throws -> [String: String] {
        var secrets: [String: String] = [:]
        var query = Query(.genericPassword, returns: [.attributes, .data])
        query.synchronizable = .any
        try store.forEachMatch(query) { item throws(KeychainError) in
            if let attributes = item.attributes, !TeamDevice.isDevice(attributes) {
                secrets[attributes.service!.description] = item.secret?.withBytes {
                    String(decoding: ByteString(copying: $0).bytes, as: UTF8.self)
                }
            }
            return .next
        }
        return secrets
    }
}
