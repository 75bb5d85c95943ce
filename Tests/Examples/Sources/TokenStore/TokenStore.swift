import Foundation
import Security

/// Which items a store uses: everything of them but the account.
public protocol TokenQueryable {
    /// The class and the attributes as Keychain Services takes them.
    var query: [String: Any] { get }
}

/// Tokens for a service.
public struct ServiceTokens: TokenQueryable {
    let service: String

    /// Uses the tokens for this service.
    public init(service: String) {
        self.service = service
    }

    /// The class and the service.
    public var query: [String: Any] {
        [
            String(kSecClass): kSecClassGenericPassword,
            String(kSecAttrService): service,
        ]
    }
}

/// Tokens for a web server.
public struct ServerTokens: TokenQueryable {
    let server: String
    let port: Int
    let path: String

    /// Uses the tokens for a path of this server.
    public init(server: String, port: Int, path: String) {
        self.server = server
        self.port = port
        self.path = path
    }

    /// The class and what a URL says.
    public var query: [String: Any] {
        [
            String(kSecClass): kSecClassInternetPassword,
            String(kSecAttrServer): server,
            String(kSecAttrPort): port,
            String(kSecAttrPath): path,
            String(kSecAttrProtocol): kSecAttrProtocolHTTPS,
            String(kSecAttrAuthenticationType): kSecAttrAuthenticationTypeHTTPBasic,
        ]
    }
}

/// Why a store failed.
public enum TokenStoreError: Error, Equatable {
    /// A text that is not UTF-8.
    case notText
    /// Keychain Services' reason.
    case failed(String)
}

/// A store of tokens, one for each account: code for Apple's systems, which compiles on Linux as it is.
public struct TokenStore {
    private let queryable: any TokenQueryable

    /// Creates a store of the items that a queryable names.
    public init(_ queryable: any TokenQueryable) {
        self.queryable = queryable
    }

    /// Sets an account's token, new or not.
    public func set(_ token: String, for account: String) throws {
        var query = queryable.query
        query[String(kSecAttrAccount)] = account
        let data = Data(token.utf8)

        var status = SecItemCopyMatching(query as CFDictionary, nil)
        switch status {
        case errSecSuccess:
            let changes = [String(kSecValueData): data]
            status = SecItemUpdate(query as CFDictionary, changes as CFDictionary)
        case errSecItemNotFound:
            query[String(kSecValueData)] = data
            status = SecItemAdd(query as CFDictionary, nil)
        default: break
        }
        try check(status)
    }

    /// Returns an account's token, nil if it has none.
    public func token(for account: String) throws -> String? {
        var query = queryable.query
        query[String(kSecMatchLimit)] = kSecMatchLimitOne
        query[String(kSecReturnAttributes)] = kCFBooleanTrue
        query[String(kSecReturnData)] = kCFBooleanTrue
        query[String(kSecAttrAccount)] = account

        var result: AnyObject?
        let status = withUnsafeMutablePointer(to: &result) {
            SecItemCopyMatching(query as CFDictionary, $0)
        }
        if status == errSecItemNotFound {
            return nil
        }
        try check(status)
        guard let item = result as? [String: Any],
            let data = item[String(kSecValueData)] as? Data,
            let token = String(data: data, encoding: .utf8)
        else {
            throw TokenStoreError.notText
        }
        return token
    }

    /// Deletes an account's token, if there is one.
    public func remove(_ account: String) throws {
        var query = queryable.query
        query[String(kSecAttrAccount)] = account
        try delete(query)
    }

    /// Deletes the tokens of all accounts.
    public func removeAll() throws {
        try delete(queryable.query)
    }

    private func delete(_ query: [String: Any]) throws {
        let status = SecItemDelete(query as CFDictionary)
        guard status != errSecItemNotFound else {
            return
        }
        try check(status)
    }

    private func check(_ status: OSStatus) throws {
        guard status == errSecSuccess else {
            let reason = SecCopyErrorMessageString(status, nil) as String?
            throw TokenStoreError.failed(reason ?? "status \(status)")
        }
    }
}
