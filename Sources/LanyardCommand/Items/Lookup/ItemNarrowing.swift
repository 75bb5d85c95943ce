internal import ArgumentParser
internal import KeychainServices

/// The options that identify an item more precisely.
struct ItemNarrowing: ParsableArguments {
    @OptionGroup var group: GroupOption
    @Flag(inversion: .prefixedNo, help: .synchronizable)
    var synchronizable: Bool?

    /// Returns a search for the items of a name.
    func search(_ name: ItemName) -> ItemSearch {
        ItemSearch(
            name: name, group: group.name.map { ByteString($0) }, synchronizable: synchronizable)
    }
}
