package import KeychainServices
internal import ToolHelpers

/// The keychain's item with the identity of one to store.
package struct ComparedItem {
    /// The criterion of equality.
    package enum Rule: Sendable {
        /// The secret and every attribute, including absent ones.
        case everything
        /// The login as other programs see it: the secret and the given attributes. In the groups of tools,
        /// which set attributes themselves, only the secret counts.
        case login
        /// The same without the label: a certificate's or a key's name in a file is only a suggestion.
        case loginWithoutLabel
    }

    /// Whether both are equal.
    package let isSame: Bool
    /// The attributes of the existing item.
    package let attributes: ItemAttributes
}

extension Keychain {
    /// Finds the item with the identity of another one and compares both; nil without one.
    ///
    /// - Throws: What the keychain throws.
    package func compared(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, _ secret: borrowing Secret,
        by rule: ComparedItem.Rule
    ) throws(KeychainError) -> ComparedItem? {
        var query = Query(identityOf: attributes, itemClass)
        query.returns = [.attributes, .data]
        guard let item = try firstMatch(of: query) else {
            return nil
        }
        let there = item.attributes ?? ItemAttributes()
        let isSame =
            switch item.secret {
            case .some(let held): rule.areSame(attributes, secret, there, held)
            case .none: false
            }
        return ComparedItem(isSame: isSame, attributes: there)
    }
}

extension ComparedItem.Rule {
    fileprivate func areSame(
        _ attributes: ItemAttributes, _ secret: borrowing Secret, _ there: ItemAttributes,
        _ held: borrowing Secret
    ) -> Bool {
        switch self {
        case .everything:
            return secret.isEqual(to: held) && attributes.withoutAbsent == there.withoutAbsent
        case .loginWithoutLabel:
            var unnamed = attributes
            unnamed.label = nil
            return ComparedItem.Rule.login.areSame(unnamed, secret, there, held)
        case .login where there.isNegative == true && attributes.isNegative != true:
            // No query returns its secret.
            return false
        case .login:
            if let tool = ToolFormat(group: attributes.accessGroup) {
                return secret.isEqual(to: held) || tool.isSameLogin(secret, held)
            }
            let there = there.withoutAbsent
            return secret.isEqual(to: held)
                && there.merging(attributes.withoutAbsent) == there
        }
    }
}
