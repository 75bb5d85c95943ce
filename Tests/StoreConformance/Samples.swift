import KeychainServices

/// The classes of passwords.
let passwordClasses: [ItemClass] = [.genericPassword, .internetPassword]

extension ItemAttributes {
    /// The attributes that a closure sets.
    init(_ set: (inout ItemAttributes) -> Void) {
        self.init()
        set(&self)
    }

    /// The attributes with an account.
    static func account(_ account: ByteString) -> ItemAttributes {
        ItemAttributes { $0.account = account }
    }

    /// The protocol's bytes.
    var protocolText: ByteString? {
        get { `protocol`?.rawValue }
        set { `protocol` = newValue.map { ProtocolType(rawValue: $0) } }
    }
}

extension Query {
    /// A query for the items of a class with an account.
    static func account(
        _ account: ByteString, _ itemClass: ItemClass = .genericPassword,
        returns: ReturnOptions = []
    ) -> Query {
        Query(itemClass, .account(account), returns: returns)
    }

    /// A query for an item by its persistent reference, synchronizable or not.
    init(_ persistentReference: PersistentReference, returns: ReturnOptions = []) {
        self.init(persistentReference.reference.itemClass, returns: returns)
        self.persistentReference = persistentReference
        synchronizable = .any
    }

    /// The query with a change.
    func with(_ change: (inout Query) -> Void) -> Query {
        var query = self
        change(&query)
        return query
    }
}

extension Keychain {
    /// Adds generic passwords with these accounts, one after the other; each secret is the account.
    func addAccounts(_ accounts: ByteString...) throws {
        for account in accounts {
            try add(
                .genericPassword, .account(account), secret: Secret(copying: account.bytes.span))
        }
    }
}
