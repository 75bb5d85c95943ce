internal import ArgumentParser
internal import KeychainServices

/// The options that identify an item more precisely.
struct ItemNarrowing: ParsableArguments {
    @OptionGroup var group: GroupOption
    @Flag(inversion: .prefixedNo, help: .synchronizable)
    var synchronizable: Bool?
    @Option(
        name: .customLong("security-domain"),
        help: ArgumentHelp(
            "Only items of this security domain; an empty text means none.", valueName: "domain"))
    var securityDomain: String?
    @Option(
        help: ArgumentHelp("Only items with this code of a protocol.", valueName: "code"))
    var `protocol`: String?
    @Option(
        name: .customLong("authentication-type"),
        help: ArgumentHelp(
            "Only items with this code of an authentication type.", valueName: "code"))
    var authenticationType: String?

    /// Returns a search for the items of a name.
    func search(_ name: ItemName) -> ItemSearch {
        var search = ItemSearch(
            name: name, group: group.name.map { ByteString($0) }, synchronizable: synchronizable)
        let given: [(LoginPart, String?)] = [
            (.securityDomain, securityDomain), (.protocol, `protocol`),
            (.authenticationType, authenticationType),
        ]
        for case (let part, let value?) in given {
            search.parts[part] = ByteString(value)
        }
        return search
    }
}
