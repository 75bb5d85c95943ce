internal import LanyardSecrets
internal import SyncEngine

/// The way to no server, for what needs none.
final class NoTransport: SyncTransport {
    private static let error = KeychainError(
        .notAvailable, "there is no connection to the team's server")

    func head() throws(KeychainError) -> ServerHead {
        throw NoTransport.error
    }

    func changes(since head: ServerHead) throws(KeychainError) -> ServerChanges {
        throw NoTransport.error
    }

    func record(_ id: Identifier) throws(KeychainError) -> ServerRecord? {
        throw NoTransport.error
    }

    func put(_ records: [ServerRecord], rosterCount: UInt64) throws(KeychainError) -> PutResult {
        throw NoTransport.error
    }

    func putRoster(_ entry: [UInt8], at head: ServerHead) throws(KeychainError) -> PutResult {
        throw NoTransport.error
    }
}
