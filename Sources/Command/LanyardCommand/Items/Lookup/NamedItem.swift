internal import ArgumentParser
internal import KeychainServices

/// The arguments that identify an item for a command.
struct NamedItem: ParsableArguments {
    @Argument(help: .item, completion: .stored(.items))
    var what: String
    @Argument(help: .account, completion: .stored(.accountsOfItem))
    var account: String?

    /// Returns their name.
    ///
    /// - Throws: ``Status/param`` for an invalid name.
    func name() throws(KeychainError) -> ItemName {
        try ItemName(what, account: account)
    }
}

extension ArgumentHelp {
    static var item: ArgumentHelp {
        ArgumentHelp("A URL, or the name of a service.", valueName: "what")
    }
    static var account: ArgumentHelp { "The account." }
}
