#if SecretService
internal import KeychainServices
internal import LinuxSystem

/// Tells which program is the Secret Service on a bus, for `lanyard setup` and `lanyard doctor`, which can't talk to
/// a bus. It starts no program, and asks the user nothing.
///
/// - Returns: Lines `owner none`, or `owner lanyard` or `owner other`, `process NUMBER` and, if the program tells it,
///   `items COUNT`.
func reportOfService(on connection: ProviderConnection) -> String {
    guard let owner = connection.owner(of: usualName) else {
        return "owner none\n"
    }
    // A second one waits for this name.
    let isLanyard = connection.queue(for: ownName).contains(owner)
    var lines = ["owner \(isLanyard ? "lanyard" : "other")"]
    if let process = connection.process(of: owner) {
        lines.append("process \(process)")
    }
    if !isLanyard, let count = ItemCount(owner, connection).items() {
        lines.append("items \(count)")
    }
    return lines.map { "\($0)\n" }.joined()
}

/// Counts the items of another program's collections.
private struct ItemCount {
    let owner: String
    let connection: ProviderConnection
    private let deadline = Deadline(milliseconds: 6_000)

    init(_ owner: String, _ connection: ProviderConnection) {
        self.owner = owner
        self.connection = connection
    }

    /// Returns how many items survive the session; nil if the program does not tell all of them.
    func items() -> Int? {
        guard
            let collections = get("Collections", of: "Service", at: "/org/freedesktop/secrets")?
                .paths
        else {
            return nil
        }
        var count = 0
        // The collection `session` ends with the program.
        for path in collections where !path.hasSuffix("/session") {
            guard !deadline.hasPassed, let items = get("Items", of: "Collection", at: path)?.paths
            else {
                return nil
            }
            // KeePassXC shows the items of a locked collection to no program.
            if items.isEmpty, get("Locked", of: "Collection", at: path)?.isFalse != true {
                return nil
            }
            count += items.count
        }
        return count
    }

    private func get(_ property: String, of interface: String, at path: String) -> BusValue? {
        connection.property(
            property, of: "org.freedesktop.Secret.\(interface)", at: path, of: owner)
    }
}

extension BusValue {
    /// The paths of a list, nil for a value of another type.
    fileprivate var paths: [String]? { isOf("ao") ? children.map(\.string) : nil }

    /// Whether it is the flag `false`.
    fileprivate var isFalse: Bool { isOf("b") && !flag }
}
#endif
