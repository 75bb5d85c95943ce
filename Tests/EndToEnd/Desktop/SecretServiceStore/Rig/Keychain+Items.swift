#if SecretService
import KeychainServices
import Testing

/// An item with its secret as text.
struct FoundItem: Equatable {
    var attributes: ItemAttributes
    var secret: String
}

extension Keychain {
    /// Every item that a query means.
    func found(
        _ attributes: ItemAttributes, _ itemClass: ItemClass = .internetPassword
    ) throws -> [FoundItem] {
        var query = Query(itemClass, attributes, returns: [.attributes, .data])
        query.match.limit = .all
        var items: [FoundItem] = []
        try forEachMatch(query) { item throws(KeychainError) in
            var text: [UInt8] = []
            switch item.secret {
            case .some(let secret):
                text = secret.withBytes { span in span.indices.map { span[$0] } }
            case .none: break
            }
            items.append(
                FoundItem(
                    attributes: item.attributes ?? ItemAttributes(),
                    secret: String(decoding: text, as: UTF8.self)))
            return .next
        }
        return items
    }
}

extension ItemAttributes {
    /// What git's helper keeps a login under.
    static func git(
        _ server: ByteString, port: UInt16? = nil, path: ByteString? = nil,
        account: ByteString? = "me", protocol type: ProtocolType = .https
    ) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.accessGroup = "git"
        attributes.protocol = type
        attributes.server = server
        attributes.port = port
        attributes.path = path
        attributes.account = account
        return attributes
    }

    /// What docker's helper keeps a login under.
    static func docker(
        _ host: ByteString, port: UInt16? = nil, path: ByteString? = nil,
        scheme: ProtocolType? = nil, account: ByteString = "me"
    ) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.accessGroup = "docker"
        attributes.protocol = scheme
        attributes.server = host
        attributes.port = port
        attributes.path = path
        attributes.account = account
        return attributes
    }

    /// What `secret-tool` keeps a password under.
    static func login(_ service: ByteString, account: ByteString) -> ItemAttributes {
        var attributes = ItemAttributes()
        attributes.accessGroup = "login"
        attributes.service = service
        attributes.account = account
        return attributes
    }
}

/// Runs a closure that has to fail, in time.
///
/// - Parameter within: Far more than it should take, far less than a hang.
func expectFailure<Result: ~Copyable>(
    _ statuses: Status..., within limit: Duration = .seconds(20),
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) {
    let start = ContinuousClock.now
    do {
        _ = try body()
        Issue.record("it succeeded", sourceLocation: sourceLocation)
    } catch let error as KeychainError {
        #expect(statuses.contains(error.status), "\(error)", sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
    #expect(start.duration(to: .now) < limit, sourceLocation: sourceLocation)
}
#endif
