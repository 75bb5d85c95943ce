public import KeychainServices

/// One rule that every store keeps, put to a fresh keychain.
public struct ConformanceCase: Sendable {
    /// What the rule is about; no two cases have the same.
    public let name: String
    private let body: @Sendable (Keychain) throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (Keychain) throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Runs the case.
    ///
    /// - Parameter makeKeychain: Makes an empty, unlocked keychain for one test alone.
    /// - Throws: A ``ConformanceFailure`` if the store breaks the rule, what the store throws where
    ///   the rule lets it throw nothing.
    public func run(_ makeKeychain: () throws -> Keychain) throws {
        try body(makeKeychain())
    }
}

extension ConformanceCase: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
