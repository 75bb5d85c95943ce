extension Accessibility {
    /// How much it takes to read the secret: nothing, a first unlock, an unlocked keychain.
    private var strength: Int {
        switch self {
        case .always, .alwaysThisDeviceOnly: 0
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: 1
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: 2
        }
    }

    /// This accessibility, or one as strong as another where that takes more to read the secret.
    /// What was to stay on this machine stays there.
    ///
    /// A new secret in the place of an old one has the accessibility of new items at least: who can
    /// write the keychain's file and read secrets of a weaker accessibility could put an item of that
    /// one there, to read what is stored in it later.
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
    /// What an item's attributes change to with a new secret: an accessibility that is weaker than
    /// that of new items is raised, see ``Accessibility/raised(to:)``, and an item that was marked as
    /// negative no longer is.
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
