/// A plugin's description of itself in answer to the greeting.
struct PluginGreeting {
    /// The version of the protocol that it has chosen.
    let version: Int64
    /// Whether it has transactions.
    let hasTransactions: Bool
    /// Whether it stores the dates that an item brings along.
    let keepsDates: Bool
    /// Whether it applies the access groups of a query.
    let knowsAccessGroups: Bool
    /// Whether it knows all members of a query that this version describes.
    let knowsQueryOptions: Bool
}
