public import KeychainServices

/// A property that is a password in the keychain of the commands.
///
///     @KeychainPassword(service: "example.org", account: "ada") var token: String?
///
///     token = "a token"
///     if let error = $token.error { print(error) }
///     token = nil  // deletes it
///
/// Each use reads or writes the keychain. A failed read is nil, and a failed write changes nothing;
/// ``error`` says why.
@propertyWrapper
public struct KeychainPassword {
    private let open: () throws(KeychainError) -> Keychain
    private let service: String
    private let account: String
    private let outcome = Outcome()

    private final class Outcome {
        var error: KeychainError?
    }

    /// Creates the password of a service's account, in the access group of this program.
    public init(service: String, account: String) {
        self.init(service: service, account: account) { () throws(KeychainError) in
            try Keychain.login()
        }
    }

    /// Creates the password of a service's account in a keychain.
    public init(service: String, account: String, keychain: Keychain) {
        self.init(service: service, account: account) { () throws(KeychainError) in keychain }
    }

    private init(
        service: String, account: String, open: @escaping () throws(KeychainError) -> Keychain
    ) {
        self.open = open
        self.service = service
        self.account = account
    }

    /// Why the last use failed, nil if it worked.
    public var error: KeychainError? { outcome.error }

    /// This wrapper, for its ``error``.
    public var projectedValue: KeychainPassword { self }

    /// The password, nil if there is none. It is a string, which can't be wiped.
    public var wrappedValue: String? {
        get {
            attempt { keychain throws(KeychainError) in
                try keychain.password(service: service, account: account)
            } ?? nil
        }
        nonmutating set {
            attempt { keychain throws(KeychainError) in
                guard newValue == nil else {
                    return try keychain.setPassword(
                        newValue ?? "", service: service, account: account)
                }
                let store = SecureStore(
                    keychain: keychain,
                    queryable: GenericPasswordQueryable(service: ByteString(service)))
                try store.removeValue(for: ByteString(account))
            }
        }
    }

    @discardableResult
    private func attempt<Result>(
        _ body: (Keychain) throws(KeychainError) -> Result
    ) -> Result? {
        do throws(KeychainError) {
            let result = try body(try open())
            outcome.error = nil
            return result
        } catch {
            outcome.error = error
            return nil
        }
    }
}
