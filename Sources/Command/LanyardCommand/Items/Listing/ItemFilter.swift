internal import ArgumentParser
internal import KeychainServices

/// The options of `lanyard list` that leave items out.
struct ItemFilter: ParsableArguments {
    @OptionGroup var group: GroupOption
    @Option(
        help: ArgumentHelp(
            "Only items of this server, or of one below it.", valueName: "host"),
        completion: .stored(.servers))
    var server: String?
    @Option(
        help: ArgumentHelp("Only items of this account.", valueName: "name"),
        completion: .stored(.accounts))
    var account: String?
    @Flag(help: "Only logins whose password has expired.")
    var expired = false
    @Flag(help: "Show invisible items, too.")
    var all = false
    @Option(
        help: ArgumentHelp(
            "The order: group, name, account, changed (or age) or expires.", valueName: "column"))
    var sort: ListOrder?

    /// Returns a query for a class, without the host, expiry and visibility: ``ItemList`` filters by these.
    func query(_ itemClass: ItemClass, returns: ReturnOptions) -> Query {
        var attributes = ItemAttributes()
        attributes.accessGroup = group.name.map { ByteString($0) }
        attributes.account = account.map { ByteString($0) }
        var query = Query(itemClass, attributes, returns: returns)
        query.synchronizable = .any
        query.match.limit = .all
        return query
    }

    /// Returns the value of `--server`.
    ///
    /// - Throws: ``Status/param`` for an invalid host.
    func host() throws(KeychainError) -> HostFilter? {
        guard let server else {
            return nil
        }
        return try HostFilter(server)
    }
}
