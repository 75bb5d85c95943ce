package import KeychainServices
internal import Tools

/// The item that a keychain has in the place of one that is to be put there.
package struct ComparedItem {
    /// What has to be the same.
    package enum Rule: Sendable {
        /// The secret and every attribute, those that are absent among them.
        case everything
        /// The login, as far as another program could tell of it: the secret and, but in the groups
        /// of tools, who make the attributes themselves, the attributes that are given.
        case login
    }

    /// Whether both are the same.
    package let isSame: Bool
    /// The attributes of the one that is there.
    package let attributes: ItemAttributes
}

extension Keychain {
    /// The item that has the identity of another one, and how both compare; nil if there is none.
    ///
    /// - Throws: What the keychain throws.
    package func compared(
        _ itemClass: ItemClass, _ attributes: ItemAttributes, _ secret: borrowing Secret,
        by rule: ComparedItem.Rule
    ) throws(KeychainError) -> ComparedItem? {
        var query = Query(identityOf: attributes, itemClass)
        query.returns = [.attributes, .data]
        let secret = secret.copy()
        var compared: ComparedItem?
        try forEachMatch(query) { item throws(KeychainError) in
            let there = item.attributes ?? ItemAttributes()
            let isSame: Bool
            switch item.secret {
            case .some(let held):
                isSame = rule.areSame(attributes, secret, there, held)
            case .none:
                isSame = false
            }
            compared = ComparedItem(isSame: isSame, attributes: there)
            return .stop
        }
        return compared
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
        case .login where there.isNegative == true && attributes.isNegative != true:
            // Its secret is answered to nobody.
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
