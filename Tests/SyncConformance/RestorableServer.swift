package import SyncEngine

/// A server that goes back to a backup.
package protocol RestorableServer: SyncTransport {
    /// Makes a backup.
    ///
    /// - Returns: What restores it.
    func makeBackup() throws -> () throws -> Void
}
