extension Accessibility {
    /// How much reading the secret takes: 0 for nothing, 1 for a first unlock, 2 for an unlocked
    /// keychain.
    private var strength: Int {
        switch self {
        case .always, .alwaysThisDeviceOnly: 0
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: 1
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: 2
        }
    }

    /// Returns this accessibility, or one as strong as another if that is stronger. A secret bound
    /// to this machine stays bound to it.
    ///
    /// A new secret gets at least the accessibility of new items. Otherwise an attacker who can
    /// write the keychain's file could plant a weakly protected item and later read what is stored
    /// in it.
    public func raised(to other: Accessibility) -> Accessibility {
        guard strength < other.strength else {
            return self
        }
        let isThisDeviceOnly = isThisDeviceOnly || other.isThisDeviceOnly
        return switch (other.strength, isThisDeviceOnly) {
        case (1, false): .afterFirstUnlock
        case (1, true): .afterFirstUnlockThisDeviceOnly
        case (_, false): .whenUnlocked
        case (_, true): .whenUnlockedThisDeviceOnly
        }
    }
}

extension Keychain {
    /// Returns the attribute changes that go with a new secret. An accessibility weaker than that
    /// of new items is raised, see ``Accessibility/raised(to:)``, and a negative item stops being
    /// negative.
    ///
    /// - Parameter present: The item's attributes.
    public func changesForNewSecret(of present: ItemAttributes?) -> ItemAttributes {
        var changes = ItemAttributes()
        if let present = present?.accessible, present.raised(to: accessible) != present {
            changes.accessible = present.raised(to: accessible)
        }
        if present?.isNegative == true {
            changes.isNegative = false
        }
        return changes
    }
}
