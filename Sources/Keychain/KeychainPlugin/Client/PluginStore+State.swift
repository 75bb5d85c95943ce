public import KeychainServices
internal import StrictJSON

extension PluginStore {
    /// Checks whether the keychain can be used, without asking the user.
    ///
    /// - Parameter timeLimit: The milliseconds that may take, if different from other answers.
    /// - Throws: ``Status/notAvailable`` if it can't be reached, ``Status/noSuchKeychain`` if its
    ///   content is missing, and what ``open(timeLimit:)`` throws.
    public func status(timeLimit: Int64? = nil) throws(KeychainError) -> PluginStatus {
        try request(.status, timeLimit: timeLimit) { reader throws(KeychainError) in
            try reader.readStatus()
        }
    }

    /// Returns the names of items that the walks so far skipped; none for a plugin that does not
    /// report them.
    ///
    /// - Throws: What ``open(timeLimit:)`` throws.
    public func skippedItems() throws(KeychainError) -> [String] {
        do throws(KeychainError) {
            return try request(.skipped) { reader throws(KeychainError) in
                try reader.readSkipped()
            }
        } catch  where error.status == .unimplemented {
            return []
        }
    }

    /// Unlocks the keychain.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if that needs the user, who must not or can't be
    ///   asked, ``Status/userCanceled`` if the user refuses, and what ``open(timeLimit:)`` throws.
    public func unlock() throws(KeychainError) {
        try request(.unlock)
    }

    /// Locks the keychain.
    ///
    /// - Throws: What ``open(timeLimit:)`` and the plugin throw.
    public func lock() throws(KeychainError) {
        try request(.lock)
    }
}
