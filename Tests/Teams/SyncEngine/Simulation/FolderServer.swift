import Foundation
import TestSupport
import LanyardSecrets
import SyncConformance

@testable import SyncEngine

extension MemoryServer: RestorableServer {
    func makeBackup() -> () throws -> Void {
        let state = backup
        return { self.backup = state }
    }
}

/// A team's folder, which goes back to a copy of its file.
final class FolderServer: RestorableServer {
    private let scratch: ScratchFolder
    private let folder: FolderTransport
    private let file: URL

    init() throws {
        scratch = try ScratchFolder()
        let team = Identifier(digestOf: [1])
        folder = FolderTransport("\(scratch.path)/team", team: team)
        file = URL(filePath: "\(scratch.path)/team/\(team.text).team")
        try folder.create()
    }

    func makeBackup() throws -> () throws -> Void {
        let bytes = try? Data(contentsOf: file)
        return { [file] in
            if let bytes {
                try bytes.write(to: file)
            } else {
                try FileManager.default.removeItem(at: file)
            }
        }
    }

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
