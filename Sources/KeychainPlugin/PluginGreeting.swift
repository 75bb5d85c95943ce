/// What a plugin says of itself when it is greeted.
struct PluginGreeting {
    /// The version of the protocol that it has chosen.
    let version: Int64
    /// Whether it has transactions.
    let hasTransactions: Bool
    /// Whether it keeps the dates of an item that comes from elsewhere.
    let keepsDates: Bool
}
