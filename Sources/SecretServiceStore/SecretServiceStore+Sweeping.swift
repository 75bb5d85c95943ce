#if SecretService
internal import CGIO
internal import Keychain

/// Items are made in two steps, see ``SecretServiceStore/create(_:_:_:)``. A program that is killed
/// between the two leaves one behind that nobody ever finds.
extension SecretServiceStore {
    /// Asks for what is unfinished. The answer is not waited for.
    func askForUnfinished(_ link: ServiceLink) throws(KeychainError) -> Reply {
        try link.send(
            "SearchItems", .tuple(.attributes([SchemaName.key: SchemaName.unfinished])),
            answer: "(ao)")
    }

    /// Deletes what was left unfinished more than a minute ago; younger ones are somebody's work. What
    /// can't be deleted now is left for the next time.
    ///
    /// - Parameter found: The answer to ``askForUnfinished(_:)``.
    func sweep(_ found: Reply, _ link: ServiceLink) {
        guard let paths = try? link.wait(found).child(0).pathList else {
            return
        }
        for path in paths.prefix(SecretServiceStore.sweepLimit) {
            do throws(KeychainError) {
                if try isLeftBehind(path, link) {
                    try deleteItem(path, link)
                }
            } catch {
                return
            }
        }
    }

    /// How many items are looked at in one go.
    private static let sweepLimit = 32
    /// From what age on nobody works on an item any more, in nanoseconds: no call takes so long.
    private static let sweepAge: Int64 = 60 * ItemDates.second

    private func isLeftBehind(
        _ path: String, _ link: ServiceLink
    ) throws(KeychainError) -> Bool {
        let answer = try link.bus.call(
            path, ServiceLink.propertiesInterface, "GetAll",
            .tuple(.string(ByteString(RemoteItem.interface))), answer: "(a{sv})")
        guard let item = RemoteItem(path, properties: answer),
            item.schema == SchemaName.unfinished,
            let changed = item.attributes[ItemDates.changedKey].flatMap({ Int64($0.description) })
        else {
            return false
        }
        return changed < Int64(g_get_real_time()) * 1_000 - SecretServiceStore.sweepAge
    }
}
#endif
