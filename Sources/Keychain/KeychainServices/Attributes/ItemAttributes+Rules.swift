extension ItemAttributes {
    /// Throws if these attributes can't belong to an item of a class.
    ///
    /// - Throws: ``Status/noSuchClass``, ``Status/noSuchAttribute``, ``Status/dataTooLarge``;
    ///   ``Status/param`` for ``AccessControl/Flags/privateKeyUsage`` in any item but a key.
    package func check(for itemClass: ItemClass) throws(KeychainError) {
        guard let classes = itemClass.classes else {
            throw KeychainError(.noSuchClass, "there is no class '\(itemClass)' of items")
        }
        for row in entries.lazy.map({ $0.attribute.row })
        where row.classes.isDisjoint(with: classes) {
            throw KeychainError(
                .noSuchAttribute, "an item of class '\(itemClass)' has no attribute \(row.name)")
        }
        if accessControl?.flags.contains(.privateKeyUsage) == true, itemClass != .key {
            throw KeychainError(
                .param, "only keys can have the access control flag privateKeyUsage")
        }
        let sizes = textSizes
        guard sizes.longest <= ItemAttributes.textLimit, sizes.total <= ItemAttributes.totalLimit
        else {
            throw KeychainError(.dataTooLarge, "an attribute of the item is too long")
        }
    }

    /// Throws if an item can't be stored with these attributes.
    ///
    /// - Throws: ``Status/param`` for an invalid access control, and for a synchronizable item that
    ///   is bound to this machine or has an access control with flags; ``Status/unimplemented`` for an
    ///   access control that takes hardware.
    public func checkStorable() throws(KeychainError) {
        if let accessControl {
            _ = try accessControl.requirements
            if let accessible, accessible != accessControl.accessible {
                throw KeychainError(
                    .param, "the access control contradicts the item's accessibility")
            }
        }
        if synchronizable == true, accessible?.isThisDeviceOnly == true {
            throw KeychainError(
                .param, "an item that stays on this machine can't be synchronizable")
        }
        if synchronizable == true, accessControl?.flags.isEmpty == false {
            throw KeychainError(
                .param, "an item with an access control can't be synchronizable")
        }
    }

    /// What it takes to read the secret of an item with these attributes.
    ///
    /// - Throws: What ``AccessControl/requirements`` throws.
    package var requirements: AccessControl.Requirements {
        get throws(KeychainError) {
            try accessControl?.requirements ?? AccessControl.Requirements()
        }
    }

    /// Throws if an item with these attributes has conditions for reading its secret, which a
    /// keychain can't enforce. Flags without a condition are allowed.
    ///
    /// - Throws: ``Status/unimplemented``; what ``AccessControl/requirements`` throws.
    package func checkUnconditional() throws(KeychainError) {
        guard try requirements.isEmpty else {
            throw KeychainError(
                .unimplemented, "this keychain can't enforce an item's access control",
                hint: "store the item in a sealed keychain")
        }
    }

    /// Returns these attributes, overwritten by those present in the changes. The dates stay.
    public func merging(_ changes: ItemAttributes) -> ItemAttributes {
        var merged = self
        for entry in changes.withoutDates.entries {
            merged[entry.attribute] = entry.value
            if entry.isData {
                merged.markAsData(entry.attribute)
            }
        }
        if let accessible = changes.accessible ?? changes.accessControl?.accessible {
            merged.accessible = accessible
            merged.accessControl?.accessible = accessible
        }
        return merged
    }

    /// The attributes to compare: without dates and marks of data, and without values that count as
    /// absent, because only some stores return those.
    package var withoutAbsent: ItemAttributes {
        var compared = withoutDates.filter {
            $0.value != $0.attribute.row.absent && $0.value.text?.isEmpty != true
        }
        compared.removeDataMarks()
        return compared
    }

    /// Whether each attribute here has the same value in the others; a missing one counts as its
    /// default.
    func allMatch(_ other: ItemAttributes, _ match: MatchOptions) -> Bool {
        let comparesBytes = match.comparesBytes
        return entries.allSatisfy { entry in
            let row = entry.attribute.row
            guard let found = other[entry.attribute] ?? row.absent else {
                return false
            }
            return comparesBytes
                ? found == entry.value : match.matches(entry.value, found, of: entry.attribute)
        }
    }

    /// Returns the attributes that make an item of a class unique: as a query they match that item
    /// alone. `synchronizable` is left out, because a query has it elsewhere.
    package func identity(of itemClass: ItemClass) -> ItemAttributes {
        var identity = ItemAttributes()
        for part in itemClass.primaryKey where part != .synchronizable {
            identity[part] = self[part] ?? part.row.absent
        }
        return identity
    }
}
