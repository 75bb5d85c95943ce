extension ItemAttributes {
    /// Throws if these attributes can't belong to an item of a class.
    ///
    /// - Throws: ``Status/noSuchClass``, ``Status/noSuchAttribute``, ``Status/dataTooLarge``.
    package func check(for itemClass: ItemClass) throws(KeychainError) {
        try withValues { values throws(KeychainError) in
            try values.check(for: itemClass, textSizes: values.textSizes())
        }
    }

    /// Throws if an item can't be stored with these attributes.
    ///
    /// - Throws: ``Status/param`` for a condition that would not be enforced and for an item that
    ///   both stays on this machine and travels to others.
    public func checkStorable() throws(KeychainError) {
        if let accessControl {
            guard accessControl.flags.isEmpty else {
                throw KeychainError(
                    .param, "an access control with conditions can't be enforced yet")
            }
            if let accessible, accessible != accessControl.accessible {
                throw KeychainError(
                    .param, "the access control contradicts the item's accessibility")
            }
        }
        if synchronizable == true, accessible?.isThisDeviceOnly == true {
            throw KeychainError(
                .param, "an item that stays on this machine can't be synchronizable")
        }
    }

    /// These attributes with the present ones of others in their place. The dates stay.
    public func merging(_ changes: ItemAttributes) -> ItemAttributes {
        var merged = self
        func set<Value>(_ path: WritableKeyPath<ItemAttributes, Value?>) {
            if let value = changes[keyPath: path] {
                merged[keyPath: path] = value
            }
        }
        set(\.accessible)
        set(\.accessControl)
        set(\.accessGroup)
        set(\.synchronizable)
        set(\.label)
        set(\.account)
        set(\.itemDescription)
        set(\.comment)
        set(\.creator)
        set(\.type)
        set(\.isInvisible)
        set(\.isNegative)
        set(\.service)
        set(\.generic)
        set(\.securityDomain)
        set(\.server)
        set(\.protocol)
        set(\.authenticationType)
        set(\.port)
        set(\.path)
        if let accessible = changes.accessible ?? changes.accessControl?.accessible {
            merged.accessible = accessible
            merged.accessControl?.accessible = accessible
        }
        return merged
    }
}

extension ItemAttributes.Values {
    /// Throws if they can't belong to an item of a class.
    ///
    /// - Throws: As ``ItemAttributes/check(for:)``.
    borrowing func check(
        for itemClass: ItemClass, textSizes sizes: (longest: Int, total: Int)
    ) throws(KeychainError) {
        guard itemClass.isKnown else {
            throw KeychainError(.noSuchClass, "items of class '\(itemClass)' can't be kept")
        }
        if let foreign = itemClass == .genericPassword ? internetOnly() : genericOnly() {
            throw KeychainError(
                .noSuchAttribute, "an item of class '\(itemClass)' has no attribute \(foreign)")
        }
        guard sizes.longest <= ItemAttributes.textLimit, sizes.total <= ItemAttributes.totalLimit
        else {
            throw KeychainError(.dataTooLarge, "an attribute of the item is too long")
        }
    }

    private borrowing func internetOnly() -> String? {
        if securityDomain != nil { return "securityDomain" }
        if server != nil { return "server" }
        if `protocol` != nil { return "protocol" }
        if authenticationType != nil { return "authenticationType" }
        if port != nil { return "port" }
        if path != nil { return "path" }
        return nil
    }

    private borrowing func genericOnly() -> String? {
        if service != nil { return "service" }
        if generic != nil { return "generic" }
        return nil
    }
}
