import Foundation
import KeychainPlugin
import LinuxSystem
import LanyardSecrets
import SyncEngine

@testable import SyncPlugins

/// A folder, served by a transport's program in a thread of this process.
final class ServedFolder: SyncServer {
    var timeLimit: Int64 = 5000
    private let folder: FolderTransport

    init(_ address: consuming SyncAddress) throws(KeychainError) {
        folder = FolderTransport(address.address, team: address.team)
    }

    func create() throws(KeychainError) { try folder.create() }
    func head() throws(KeychainError) -> ServerHead { try folder.head() }
    func changes(since head: ServerHead) throws(KeychainError) -> ServerChanges {
        try folder.changes(since: head)
    }
    func record(_ id: Identifier) throws(KeychainError) -> ServerRecord? { try folder.record(id) }
    func put(_ records: [ServerRecord], rosterCount: UInt64) throws(KeychainError) -> PutResult {
        try folder.put(records, rosterCount: rosterCount)
    }
    func putRoster(_ entry: [UInt8], at head: ServerHead) throws(KeychainError) -> PutResult {
        try folder.putRoster(entry, at: head)
    }
}

/// Starts a program's side in a thread, at the other end of a socket.
func startInThread(
    _ serve: @escaping @Sendable (Int32) -> Void
) throws(KeychainError) -> PluginConnection {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
        throw KeychainError(.io)
    }
    let theirs = ends[1]
    Thread.detachNewThread {
        serve(theirs)
        close(theirs)
    }
    return PluginConnection(ChildProcess(connected: Descriptor(owning: ends[0])))
}
