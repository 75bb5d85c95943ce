public import Foundation
public import KeychainServices

extension KeychainError: LocalizedError {
    /// The description of what happened.
    public var errorDescription: String? { reason }

    /// The meaning of the status.
    public var failureReason: String? { status.meaning }

    /// The next step for the user.
    public var recoverySuggestion: String? { hint }
}
