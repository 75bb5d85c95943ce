internal import ArgumentParser
internal import KeychainServices

/// The arguments by which a command is told which item is meant.
struct NamedItem: ParsableArguments {
    @Argument(help: .item, completion: .stored(.items))
    var what: String
    @Argument(help: .account, completion: .stored(.accountsOfItem))
    var account: String?

    /// What they name.
    ///
    /// - Throws: ``Status/param`` for what can't be a name.
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
