internal import ArgumentParser
internal import KeychainServices

/// The options that say more exactly which item is meant.
struct ItemNarrowing: ParsableArguments {
    @OptionGroup var group: GroupOption
    @Flag(inversion: .prefixedNo, help: .synchronizable)
    var synchronizable: Bool?

    /// Finds the items of a name.
    func search(_ name: ItemName) -> ItemSearch {
        ItemSearch(
            name: name, group: group.name.map { ByteString($0) }, synchronizable: synchronizable)
    }
}
