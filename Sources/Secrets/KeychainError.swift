/// Why a call failed.
///
/// Two errors are equal if their statuses are: the texts are for people. Neither text ever holds
/// a secret.
public struct KeychainError: Error, Sendable {
    /// The number to act on.
    public let status: Status
    /// What happened to what: one line, lower case, no full stop.
    public var reason: String { ownReason ?? status.meaning }
    /// The reason, nil if there is nothing to say beyond what the status means.
    public let ownReason: String?
    /// What to do next, nil if there is nothing: one line, where possible a command.
    public let hint: String?

    /// An error with a status and, if they say more than its meaning, words of its own.
    public init(_ status: Status, _ reason: String? = nil, hint: String? = nil) {
        self.status = status
        ownReason = reason
        self.hint = hint
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
