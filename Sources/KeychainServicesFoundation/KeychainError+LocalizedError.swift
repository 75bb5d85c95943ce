public import Foundation
public import KeychainServices

extension KeychainError: LocalizedError {
    /// What happened to what.
    public var errorDescription: String? { reason }

    /// What the status means.
    public var failureReason: String? { status.meaning }

    /// What to do next.
    public var recoverySuggestion: String? { hint }
}
