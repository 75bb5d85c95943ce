internal import Glibc
internal import LanyardConfiguration
internal import LanyardPrompting
internal import Keychains
internal import KeychainServices

/// The output of `lanyard list` and `lanyard find`.
struct ItemListing {
    let filter: ItemFilter
    /// The text that an item's attributes must contain, nil for any item.
    let text: String?
    let isJSON: Bool
    let keychain: KeychainOption

    /// Prints it.
    ///
    /// - Returns: The number of printed items.
    func run() throws(KeychainError) -> Int {
        let host = try filter.host()
        let keychain = try keychain.open()
        keychain.store.askForEverything()
        let terminal = isJSON ? nil : OutputTerminal.current
        let list = ItemList(
            keychain: keychain, filter: filter, host: host, text: text?.lowercased(),
            expiries: try expiries(keychain), order: filter.sort ?? (terminal == nil ? nil : .group)
        )
        let counts: ItemList.Counts
        if isJSON {
            counts = try list.writeJSON()
        } else if let terminal {
            counts = try list.writeTable(for: terminal, now: currentTime())
        } else {
            counts = try list.writeLines()
        }
        noteOtherPrograms(keychain.store.skippedItems())
        let isForUser = terminal != nil && isatty(2) == 1
        if counts.shown == 0, text == nil {
            noteNothing(keychain, isForUser: isForUser)
        }
        if isForUser {
            hint(list, counts, keychain.configuration)
        }
        return counts.shown
    }

    /// Says that there are no items, and which group was perhaps meant; scripts get the latter alone.
    private func noteNothing(_ keychain: OpenKeychains, isForUser: Bool) {
        guard isForUser, filter.group.hint(in: keychain) == nil else {
            return filter.group.noteNothing(in: keychain)
        }
        let group = filter.group.name ?? ""
        printNote(group.isEmpty ? "no items" : "no items in the group '\(group)'")
    }

    private func hint(
        _ list: ItemList, _ counts: ItemList.Counts, _ configuration: Configuration
    ) {
        if let name = list.expiries.lockedKeychains.first {
            let option = configuration.option(forKeychain: name)
            printHint("lanyard unlock\(option) shows when logins expire")
        }
        if counts.invisible > 0 {
            printHint("--all shows \(counted(counts.invisible, "invisible item")), too")
        }
    }

    /// Reports that there are items which no list shows.
    private func noteOtherPrograms(_ names: [String]) {
        guard !names.isEmpty else {
            return
        }
        let shown = names.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
        let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
        printNote("not listed (items of other programs): \(shown)\(rest)")
    }

    private func expiries(_ keychain: OpenKeychains) throws(KeychainError) -> LoginExpiries {
        let expiries: LoginExpiries
        do throws(KeychainError) {
            expiries = try LoginExpiries(of: filter, in: keychain)
        } catch {
            guard filter.expired else {
                // Readable items come first.
                return LoginExpiries()
            }
            throw error
        }
        if filter.expired, let name = expiries.lockedKeychains.first {
            throw KeychainError(
                .interactionNotAllowed,
                "the keychain '\(name)' is locked, so lanyard can't tell when logins expire",
                // The error's output adds a given option to the command.
                hint: "lanyard unlock"
                    + (name == self.keychain.name
                        ? "" : keychain.configuration.option(forKeychain: name)))
        }
        return expiries
    }
}
