internal import Foundation
public import KeychainServices

extension Keychain {
    /// Stores a value as JSON, as the password of a service's account in the keychain's own access group.
    ///
    ///     try keychain.setValue(session, service: "example.org", account: "ada")
    ///
    /// The JSON passes through memory that can't be wiped.
    ///
    /// - Throws: ``Status/param`` for a value that JSON can't represent; what the store throws.
    public func setValue(
        _ value: some Encodable, service: String, account: String
    ) throws(KeychainError) {
        let data: Data
        do {
            data = try JSONEncoder().encode(value)
        } catch {
            throw KeychainError(.param, "the value can't be encoded as JSON")
        }
        let store = SecureStore(
            keychain: self, queryable: GenericPasswordQueryable(service: ByteString(service)))
        try store.setValue(Secret(data), for: ByteString(account))
    }

    /// Returns the value that ``setValue(_:service:account:)`` stored, nil if there is none.
    ///
    ///     let session = try keychain.value(Session.self, service: "example.org", account: "ada")
    ///
    /// - Throws: ``Status/decode`` if the password is not such a value; what the store throws.
    public func value<Value: Decodable>(
        _ type: Value.Type, service: String, account: String
    ) throws(KeychainError) -> Value? {
        let store = SecureStore(
            keychain: self, queryable: GenericPasswordQueryable(service: ByteString(service)))
        let data: Data
        switch try store.getValue(for: ByteString(account)) {
        case .some(let secret): data = Data(secret)
        case .none: return nil
        }
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            // The decoder's reason could quote the secret.
            throw KeychainError(.decode, "the password is not such a value as JSON")
        }
    }
}
