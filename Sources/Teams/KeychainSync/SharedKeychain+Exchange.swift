package import KeychainServices
internal import LinuxSystem
package import LanyardSecrets
package import SyncEngine

// The exchange with the team's server.
extension SharedKeychain {
    /// Asks the server whether there is anything to exchange.
    ///
    /// - Returns: Whether nothing changed, here or there, since an exchange that left nothing to do. This one counts
    ///   as the last one then.
    /// - Throws: What the transport and the store throw.
    package static func isUpToDate(
        _ place: Place, _ store: any KeychainStore, connect: Connect
    ) throws(KeychainError) -> Bool {
        guard let device = try TeamDevice.read(from: store),
            var mark = ExchangeMark(place, under: device.fileKey), mark.isValid(place),
            try mark.isOf(connect(mark.address, mark.team))
        else {
            return false
        }
        mark.date = SystemCalls.now()
        try mark.write(to: place, under: device.fileKey)
        return true
    }

    /// Exchanges the keychain's items with the server.
    ///
    /// - Throws: ``Status/missingEntitlement`` if this device is not or no more in the team; what the engine,
    ///   the transport and the store throw. What was stored here stays stored.
    package func exchange() throws(KeychainError) -> SyncReport {
        do throws(KeychainError) {
            return try exchange(with: engine())
        } catch {
            if error.status == .missingEntitlement, isMember {
                try state.change { () throws(KeychainError) in state.progress.isRemoved = true }
            }
            throw error
        }
    }

    /// Runs a change of the roster, and exchanges the keychain's items after it. Each change begins with an exchange,
    /// except ``SyncEngine/refuse(_:)``.
    ///
    /// - Parameter needsItems: Whether it fails if items can't be exchanged, because the server or a device says what is
    ///   not so.
    package func changeRoster(
        needsItems: Bool = true, _ body: (SyncEngine) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let engine = try engine()
        try state.change { () throws(KeychainError) in try body(engine) }
        do throws(KeychainError) {
            _ = try exchange(with: engine)
        } catch {
            guard !needsItems, [.decode, .wrongVersion].contains(error.status) else {
                throw error
            }
        }
    }

    /// Adds a device that asks to join, unless another owner just did so with the same role.
    ///
    /// - Throws: ``Status/duplicateItem`` if the team has another device of its names, or had this one, or has it in
    ///   another role; what an exchange throws.
    package func approve(_ card: DeviceCard, _ role: Role) throws(KeychainError) {
        try changeRoster { engine throws(KeychainError) in
            try engine.add(card, role) { roster throws(KeychainError) in
                try roster.checkIsFree(person: card.person, name: card.name)
            }
        }
    }

    /// Returns the device that asks to join and has a code. The replica has a part of the requests; the server is asked
    /// about the others.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: What the transport throws.
    package func request(withCode code: String) throws(KeychainError) -> DeviceCard? {
        if let card = requests.first(where: { SpokenCode.isSame(code, $0.code) }) {
            return card
        }
        guard hasMoreRequests else {
            return nil
        }
        let card = try connect(address, roster.team).request(withCode: code, roster)
        return card?.isRecoveryKey == true ? nil : card
    }

    /// Checks the right to change the team, as far as known from the last exchange.
    ///
    /// - Throws: ``Status/writePermissions`` if this device is no owner's.
    package func checkIsOwner() throws(KeychainError) {
        guard isOwner(roster) else {
            throw SyncEngine.notAnOwner
        }
    }

    func exchange(with engine: SyncEngine) throws(KeychainError) -> SyncReport {
        let keychain = place.keychainFile.flatMap { try? FileVersion(at: $0) }
        let exchanges = try presentDevice().exchanges
        var first = SyncReport()
        let items = try readItems(
            isRestored: exchanges < state.progress.exchanges
        ) { () throws(KeychainError) in
            try state.change { () throws(KeychainError) in
                let counter = engine.replica.seen[card.id]
                first = try engine.exchange()
                try state.update(with: engine)
                try state.setRowsOfGiven(after: counter, engine)
            }
        }
        if items.changeCount > 0 {
            let second = try prepare(items, engine)
            first.received += second.received
            first.findings.formUnion(second.findings)
            first.heard.formUnion(second.heard)
        }
        let report = try state.change { () throws(KeychainError) in
            var report = try exchange(items, with: engine)
            report.received += first.received
            report.findings.formUnion(first.findings)
            // Who goes on without another finding may only have looked as if it lied.
            state.progress.contradicting.subtract(report.heard.union(first.heard))
            for finding in report.findings {
                switch finding {
                case .changeContradicts(let author), .numberIsUsedTwice(let author):
                    state.progress.contradicting.insert(author.id)
                default: break
                }
            }
            // If it fails, the next exchange does it.
            try? engine.removeLeavingDevices()
            try state.update(with: engine)
            try show(items, engine, after: exchanges)
            for (device, records) in try setAside() {
                report.findings.insert(.contentsAreWrong(device, records))
            }
            try state.replica.rows.removeAll(.given)
            // Until it ends, the items here are from before this device was in the team.
            if state.progress.lastExchange != nil || report.unsent == 0 {
                state.progress.lastExchange = SystemCalls.now()
            }
            state.progress.isRemoved = false
            state.progress.waiting = UInt32(clamping: report.waiting + report.unsent)
            return report
        }
        if let keychain, report.isQuiet, !engine.hasToRemoveDevices {
            try mark(keychain)
        }
        return report
    }

    /// Stores in the keychain what the replica has, and counts the exchange if it changed one of both: an older
    /// keychain, from a backup, has to be recognized then.
    ///
    /// - Parameter exchanges: The number of exchanges that the keychain had counted at the beginning.
    private func show(
        _ items: KeychainChanges, _ engine: SyncEngine, after exchanges: UInt64
    ) throws(KeychainError) {
        try store.transaction { () throws(KeychainError) in
            try state.change { () throws(KeychainError) in
                let isChanged = try ShownItems(in: items).show(
                    engine, isReader: isReader(engine.replica))
                try items.noteItems()
                guard isChanged || items.changeCount > 0 else {
                    return
                }
                guard try presentDevice().exchanges == exchanges else {
                    throw replaced
                }
                state.progress.exchanges += 1
                try TeamDevice.count(state.progress.exchanges, in: store)
            }
        }
    }

    /// Prepares an exchange with changes.
    ///
    /// - Returns: What the team changed meanwhile.
    private func prepare(
        _ items: KeychainChanges, _ engine: SyncEngine
    ) throws(KeychainError) -> SyncReport {
        try state.change { () throws(KeychainError) in
            var report = SyncReport()
            if isOwner(roster) {
                // What is sent now is not for devices that leave.
                report = try engine.exchange()
                try? engine.removeLeavingDevices()
            }
            // This process may end before it knows what became of them.
            try items.noteGiven()
            try engine.reserveNumbers(items.changeCount)
            return report
        }
    }

    /// Reads the keychain's items; if some are new, or an exchange was interrupted, after an exchange: the team may have
    /// them already.
    private func readItems(
        isRestored: Bool, exchange: () throws(KeychainError) -> Void
    ) throws(KeychainError) -> KeychainChanges {
        let wasInterrupted = try state.replica.rows.count(.given) > 0
        if state.progress.lastExchange != nil, !wasInterrupted {
            let items = try KeychainChanges(
                store, state, isRestored: isRestored)
            guard items.hasNew else {
                return items
            }
        }
        try exchange()
        return try KeychainChanges(
            store, state, isRestored: isRestored, readsAll: wasInterrupted)
    }

    /// Notes that nothing is left to do, unless the keychain was changed at about the time when its items were read.
    private func mark(_ keychain: FileVersion) throws(KeychainError) {
        let now = SystemCalls.now()
        guard keychain.isOlder(thanSeconds: ExchangeMark.quietSeconds, now: now),
            let replica = try? FileVersion(at: place.file)
        else {
            return
        }
        let mark = ExchangeMark(
            roster.team, at: state.address, keychain: keychain, replica: replica,
            head: state.replica.server, lastRecord: state.replica.lastRecord, date: now)
        guard mark.isValid(place) else {
            return
        }
        try mark.write(to: place, under: device.fileKey)
    }

    private func isOwner(_ roster: Roster) -> Bool {
        roster.devices[card.id]?.role == .owner
    }

    private func isReader(_ replica: Replica) -> Bool {
        replica.roster.devices[card.id]?.role == .reader
    }

    private func exchange(
        _ items: KeychainChanges, with engine: SyncEngine
    ) throws(KeychainError) -> SyncReport {
        defer { items.releaseContents() }
        do throws(KeychainError) {
            let report = try engine.exchange(items.changeCount) { index throws(KeychainError) in
                try items.change(index)
            }
            items.doneCount = items.changeCount - report.unsent
            return report
        } catch  where error.status == .writePermissions {
            // A reader gets the others' changes whatever it changed itself.
            var report = try engine.exchange()
            guard isReader(engine.replica) else {
                throw error
            }
            report.refused = items.changeCount
            items.doneCount = items.changeCount
            return report
        }
    }
}

extension Roster {
    /// Returns a device's name, with the first number behind it that makes it another one than the owner's others have.
    func freeName(person: String, name: String) -> String {
        let taken = Set(present.lazy.map(\.card).filter { $0.person == person }.map(\.name))
        guard taken.contains(name) else {
            return name
        }
        // One of them is free.
        return (2...taken.count + 2).lazy.map { "\(name)-\($0)" }.first { !taken.contains($0) }
            ?? name
    }

    /// Checks that no device of the team has these names, by which commands tell devices apart.
    ///
    /// - Throws: ``Status/duplicateItem`` if one has them.
    func checkIsFree(person: String, name: String) throws(KeychainError) {
        guard !present.contains(where: { $0.card.person == person && $0.card.name == name }) else {
            let device = "\(person)/\(name)".shellQuoted
            throw KeychainError(
                .duplicateItem, "the team has a device '\(name)' of \(person) already",
                hint: "join with another name, --device NAME, or let an owner remove the old one: "
                    + "lanyard team remove \(device)")
        }
    }
}
