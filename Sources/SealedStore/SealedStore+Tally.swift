package import KeychainServices

extension SealedStore {
    /// Counts the items by group and accessibility, without unlocking what is locked.
    ///
    /// Groups are told apart by their tags, and one item of each is opened for the name, so that
    /// 100,000 items are counted in some 50 ms. The numbers are what the file says; only
    /// ``verify()`` authenticates every item.
    ///
    /// - Returns: nil if nothing can be told before the keychain is unlocked: one that was brought here
    ///   from another machine.
    /// - Throws: ``Status/invalidKeychain``, ``Status/databaseLocked``; what ``init(at:provider:)``
    ///   throws.
    package func tally() throws(KeychainError) -> ItemTally? {
        try withSession { session throws(KeychainError) in
            if case .locked = session {
                return nil
            }
            return try session.state.tally()
        }
    }
}
