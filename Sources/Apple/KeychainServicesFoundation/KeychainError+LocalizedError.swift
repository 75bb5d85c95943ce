public import Foundation
public import KeychainServices

extension KeychainError: LocalizedError {
    /// The description of what happened.
    public var errorDescription: String? { reason }

    /// The meaning of the status, nil for one of certificates and keys: the description has it.
    public var failureReason: String? { status.ownMeaning }

    /// The next step for the user.
    public var recoverySuggestion: String? { hint }
}
