#if SecretService
internal import LanyardConfiguration
internal import KeychainServices
internal import LinuxSystem
internal import SealedStore

/// The collection `session`: items in memory that end with the service.
final class MemorySource: CollectionSource {
    private let store = InMemoryStore(
        now: SystemCalls.now, protecting: SystemCalls.lockInMemory)
    private var known: [ItemReference: ItemAttributes] = [:]
    /// Whether it was used since the last look.
    private var mayHaveChanged = false

    let isLocked = false
    let logsUses = false
    var isBusy = false
    /// All of it stays in memory, which other programs need, too.
    let limits: (items: Int, secret: Int)? = (1_000, 65_536)
    let folders: Set<FolderWatch.Folder> = []

    var isEmpty: Bool { known.isEmpty }

    func keychain() throws(KeychainError) -> Keychain {
        mayHaveChanged = true
        return Keychain(store, accessGroups: .all(addingTo: OtherItem.group))
    }

    func close() {}

    func changes() -> [KeychainSnapshot.Change] {
        guard mayHaveChanged else {
            return []
        }
        mayHaveChanged = false
        var present: [ItemReference: ItemAttributes] = [:]
        for itemClass in [ItemClass.genericPassword, .internetPassword] {
            var query = Query(itemClass, returns: [.attributes, .reference])
            query.synchronizable = .any
            try? store.forEachMatch(query) { item throws(KeychainError) in
                if let reference = item.reference, let attributes = item.attributes {
                    present[reference] = attributes
                }
                return .next
            }
        }
        var changes: [KeychainSnapshot.Change] = []
        for (reference, attributes) in known where present[reference] == nil {
            changes.append(.init(reference: reference, before: attributes, after: nil))
        }
        for (reference, attributes) in present where known[reference] != attributes {
            changes.append(
                .init(reference: reference, before: known[reference], after: attributes))
        }
        known = present
        return changes
    }

    func follow(_ configuration: Configuration) {}

    func hasChanged() {}

    func lock() throws(KeychainError) {}
}
#endif
