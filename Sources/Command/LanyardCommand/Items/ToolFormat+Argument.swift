internal import ArgumentParser
internal import KeychainServices
internal import ToolHelpers

extension ToolFormat: ExpressibleByArgument {
    init?(argument: String) {
        self.init(name: argument)
    }

    static var allValueStrings: [String] { all.map(\.name) }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    /// Returns the item in which the tool's helper stores a login.
    ///
    /// - Parameters:
    ///   - what: A URL or, for a server, a host with or without port and path; else any name.
    ///   - account: The account; nil if only the URL may have one.
    /// - Throws: ``Status/param`` for an invalid host, and without an account if the tool needs one.
    func item(
        _ what: String, account: String?
    ) throws(KeychainError) -> (itemClass: ItemClass, attributes: ItemAttributes) {
        let name = try ItemName(what, account: account)
        let isURL = name.itemClass == .internetPassword
        guard isForServers else {
            return (name.itemClass, try attributes(name.attributes))
        }
        guard let parts = isURL ? name.attributes : name.otherAttributes,
            parts.server != "" || hostlessSchemes.contains(parts.protocol?.scheme ?? ""),
            let server = parts.server, !server.bytes.contains(where: { $0 <= 0x20 })
        else {
            throw KeychainError(
                .param, "'\(what)' is not a host", hint: "for example https://example.com")
        }
        return (.internetPassword, try attributes(parts))
    }
}
