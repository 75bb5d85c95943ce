/// What a device may do in its team.
package enum Role: UInt8, CaseIterable, Sendable {
    /// Reads items.
    case reader = 1
    /// Also changes items.
    case member = 2
    /// Also changes the roster.
    case owner = 3

    /// The name in commands and JSON.
    package var name: String {
        switch self {
        case .reader: "reader"
        case .member: "member"
        case .owner: "owner"
        }
    }

    /// Creates the role of a name.
    package init?(name: String) {
        guard let role = Role.allCases.first(where: { $0.name == name }) else {
            return nil
        }
        self = role
    }
}
