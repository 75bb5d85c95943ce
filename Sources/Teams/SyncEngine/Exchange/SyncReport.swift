/// What an exchange did, and what it noticed about the server.
package struct SyncReport: Sendable {
    /// Something that an honest server and honest devices do not do, or only after a restore from a backup.
    /// Nothing was lost here: the replica had it, and gave it back.
    package enum Finding: Hashable, Sendable {
        /// The server was older than at an earlier exchange.
        case serverIsOlder
        /// A record does not authenticate, or contains a change that its device had no right to.
        case recordIsForged(Identifier)
        /// The roster has entries that none of its owners signed: whoever can write to the server can add some. They are
        /// skipped.
        case rosterHasForgedEntries
        /// The roster has more of these than are looked at: what owners sign now may not be seen.
        case rosterIsFlooded
        /// Owners changed the team's members at the same place, because the server hid or refused an entry, or went back: what
        /// this device changed there does not count.
        case changeOfMembersIsOverruled(DeviceCard)
        /// A present owner signed a change of the team that builds on one which the server does not show: the owner lies, or the
        /// server hides it. The change was set aside.
        case changeOfMembersIsUnexplained(DeviceCard)
        /// A device gave this one a wrong key of the team: it can read and store nothing until another owner renews the key.
        case keyIsMissing(DeviceCard)
        /// A present device renewed the key of the team, and hides those before from devices that join: the others store again
        /// what is under these.
        case keysAreHidden(DeviceCard)
        /// The head of a present device names changes that the server lacks: the server leaves them out, or
        /// the device lies. Everything else was exchanged.
        case changesAreMissing(DeviceCard)
        /// The head of a device is older than its changes: someone overwrites it on the server. Nothing of what is known is
        /// missing.
        case headIsOlder(DeviceCard)
        /// A device signed a version that names a change of another device which the server does not have, or that is larger
        /// than an item can be: the device lies, or a member hides the change and both devices' heads. The version was set
        /// aside: everything is as before it.
        case changeContradicts(DeviceCard)
        /// A device signed two changes with one number: it was restored from a backup, or copied, or it lies. What other
        /// devices stored comes before them.
        case numberIsUsedTwice(DeviceCard)
        /// An owner removed a device, or made it a reader, without changes that were known here: the owner did not know them, or
        /// lies. What the device changed there is gone.
        case changesAreDropped(DeviceCard, by: DeviceCard)
        /// A device's versions of these records have no right content: keychains show earlier ones.
        case contentsAreWrong(DeviceCard, [Identifier])
    }

    /// What was noticed.
    package var findings: Set<Finding> = []
    /// The devices of which a newer head came.
    package var heard: Set<Identifier> = []
    /// The number of items that changed here.
    package var received = 0
    /// The number of items and heads that the server got.
    package internal(set) var sent = 0
    /// The number of items that the server still lacks, because other devices wrote at the same time.
    package internal(set) var waiting = 0
    /// The number of changes that are not part of the replica yet, because the time limit had passed or the present key is
    /// missing.
    package internal(set) var unsent = 0
    /// Whether the time limit had passed before the server had everything.
    package internal(set) var isOutOfTime = false
    /// The number of changes that this device had no right to: they stay here.
    package var refused = 0

    /// Creates the report of an exchange that did nothing.
    package init() {}

    /// Whether it did nothing, and nothing is left to do.
    package var isQuiet: Bool {
        findings.isEmpty && received == 0 && sent == 0 && waiting == 0 && unsent == 0
            && refused == 0
    }
}
