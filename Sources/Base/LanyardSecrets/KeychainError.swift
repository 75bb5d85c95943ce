/// The reason why a call failed.
///
/// Two errors are equal if their statuses are; the texts are for users. Neither text ever contains
/// a secret.
public struct KeychainError: Error, Sendable {
    /// The number for programs to act on.
    public let status: Status
    /// One line that says what happened to which object: lower case, no full stop.
    public var reason: String { ownReason ?? status.meaning }
    /// The reason, nil if the status says enough.
    public let ownReason: String?
    /// The next step for the user, nil if there is none: one line, if possible a command.
    public let hint: String?

    /// Creates an error with a status and, if it says more than the status, a reason.
    public init(_ status: Status, _ reason: String? = nil, hint: String? = nil) {
        self.status = status
        ownReason = reason
        self.hint = hint
    }
}

extension KeychainError {
    /// A question that the user has left open for too long.
    package static let unanswered = KeychainError(
        .userCanceled, "no answer in time: nothing was changed")

    /// Whether it is ``unanswered``, and not a question that the user cancelled.
    package var isUnanswered: Bool {
        status == .userCanceled && ownReason == KeychainError.unanswered.ownReason
    }

    /// Runs a closure, and ignores an error with one status.
    ///
    /// - Returns: Whether there was no such error.
    @discardableResult
    package static func ignoring(
        _ status: Status, _ body: () throws(KeychainError) -> Void
    ) throws(KeychainError) -> Bool {
        do throws(KeychainError) {
            try body()
            return true
        } catch {
            guard error.status == status else {
                throw error
            }
            return false
        }
    }
}

extension KeychainError: Equatable {
    /// Whether both have the same status.
    public static func == (left: KeychainError, right: KeychainError) -> Bool {
        left.status == right.status
    }
}

extension KeychainError: CustomStringConvertible {
    /// The reason and the status.
    public var description: String { "\(reason) (\(status.rawValue))" }
}
