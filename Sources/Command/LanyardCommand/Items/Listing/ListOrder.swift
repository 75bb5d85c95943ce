internal import ArgumentParser
internal import KeychainServices

/// The order of listed items, by a column.
enum ListOrder: String, ExpressibleByArgument, CaseIterable {
    case group, name, account, changed, expires

    /// - Parameter argument: A column; at a terminal, that of the changes is called `AGE`.
    init?(argument: String) {
        self.init(rawValue: argument == "age" ? "changed" : argument)
    }

    /// Returns whether one item comes before another: what is equal in this column, by group, name and account.
    func isBefore(_ left: ItemList.Item, _ right: ItemList.Item) -> Bool {
        switch self {
        case .group: break
        case .name where left.names[1] != right.names[1]: return left.names[1] < right.names[1]
        case .account where left.names[2] != right.names[2]: return left.names[2] < right.names[2]
        case .changed:
            let (leftDate, rightDate) = (
                left.attributes.modificationDate, right.attributes.modificationDate
            )
            if leftDate != rightDate {
                return ListOrder.isEarlier(rightDate, leftDate)
            }
        case .expires where left.expiry != right.expiry:
            guard let expiry = right.expiry else {
                return true
            }
            return left.expiry.map { $0 < expiry } ?? false
        case .name, .account, .expires: break
        }
        return left.names.lexicographicallyPrecedes(right.names)
    }

    private static func isEarlier(_ left: Timestamp?, _ right: Timestamp?) -> Bool {
        guard let right else {
            return false
        }
        return left.map { $0 < right } ?? true
    }
}
