package import KeychainServices
internal import LinuxSystem

/// An entry of the log of uses: which program did what with an item, and when. Never a secret.
package struct LoggedUse: Sendable {
    /// What a program did. The numbers are those of the stored form.
    package enum Action: UInt8, CaseIterable, Sendable {
        /// It got the secret.
        case read = 1
        /// It stored a secret, in a new item or in one that existed.
        case stored = 2
        /// It changed attributes, and left the secret as it was.
        case changed = 3
        /// It deleted the item.
        case deleted = 4
    }

    /// A running program.
    package struct Program: Equatable, Sendable {
        /// The path of its executable, empty if it is unknown.
        package var path: ByteString = ""
        /// The id of its process, 0 if it is unknown.
        package var process: Int32 = 0
        /// The systemd unit that it ran in, empty for none.
        package var unit: ByteString = ""
    }

    package var time: Timestamp
    package var action: Action
    /// The item's class.
    package var itemClass: ItemClass
    /// The server, the service, or the label of a key; shortened if it is long, as all texts are.
    package var name: ByteString
    /// The account, empty for none.
    package var account: ByteString = ""
    /// The access group.
    package var accessGroup: ByteString = ""
    /// The program that opened the keychain.
    package var program = Program()
    /// The program for which it did so: the one that asked a service, otherwise the one that started
    /// it.
    package var requester = Program()
    /// Whether the same call used more items, which are not in the log.
    package var hasMore = false
}

extension LoggedUse.Program {
    /// A process that runs now, nil for an unknown one.
    init(_ process: RunningProcess?) {
        self.init(
            path: ByteString(process?.program ?? ""), process: process?.id ?? 0,
            unit: ByteString(process?.unit ?? ""))
    }

    /// A program that asked this one.
    init(_ requester: RequestingProgram) {
        self.init(
            path: requester.application?.path ?? "", process: requester.process ?? 0,
            unit: ByteString(requester.unit ?? ""))
    }
}
