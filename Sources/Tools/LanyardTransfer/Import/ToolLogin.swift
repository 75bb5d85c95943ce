internal import KeychainServices
internal import ToolHelpers

/// A login in the plain-text file of a tool: the name that `lanyard set --for TOOL` takes, and the secret.
struct ToolLogin {
    private let tool: String
    private let name: ItemAttributes
    private let itemClass: ItemClass

    /// Creates a login with a server's address.
    ///
    /// - Returns: nil for a text that is no address.
    init?(_ tool: String, url: ByteString, account: ByteString? = nil) {
        guard let url = ServerURL(url) else {
            return nil
        }
        self.init(tool, url: url, account: account)
    }

    /// Creates a login with a server's address, by https unless it names another scheme.
    init(_ tool: String, url: ServerURL, account: ByteString? = nil) {
        var name = ItemAttributes()
        name.server = url.host.lowercasedASCII
        name.protocol = ProtocolType(scheme: url.scheme ?? "https")
        name.port = url.port
        name.path = url.decodedPath
        name.account = account
        self.tool = tool
        self.name = name
        itemClass = .internetPassword
    }

    /// Creates a login with the name of a service.
    init(_ tool: String, service: ByteString, account: ByteString? = nil) {
        var name = ItemAttributes()
        name.service = service
        name.account = account
        self.tool = tool
        self.name = name
        itemClass = .genericPassword
    }

    /// Returns what the login becomes, once for each place and account.
    func content(
        _ secret: borrowing Secret, _ earlier: inout EarlierEntries
    ) -> ImportRecord.Content {
        guard secret.count > 0 else {
            return .skipped(reason: SkipReason.noPassword, hasSecret: false)
        }
        do throws(KeychainError) {
            guard let format = ToolFormat(name: tool) else {
                throw KeychainError(.param, "'\(tool)' is unknown")
            }
            try format.check(secret)
            var attributes = try format.attributes(name)
            attributes.accessGroup = format.accessGroup
            return earlier.item(NewItem(itemClass, attributes, secret: secret.copy()))
        } catch {
            return .failed(error)
        }
    }
}
