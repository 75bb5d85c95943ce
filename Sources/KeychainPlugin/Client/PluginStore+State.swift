public import KeychainServices
internal import StrictJSON

extension PluginStore {
    /// Tries whether the keychain can be used. Nothing is shown to a person.
    ///
    /// - Parameter timeLimit: How many milliseconds that may take, if not as long as every answer.
    /// - Throws: ``Status/notAvailable`` if it can't be reached, ``Status/noSuchKeychain`` if what it
    ///   stands for is not there, and what ``open(timeLimit:)`` throws.
    public func status(timeLimit: Int64? = nil) throws(KeychainError) -> PluginStatus {
        try request(.status, timeLimit: timeLimit) { reader throws(KeychainError) in
            try reader.readStatus()
        }
    }

    /// The names of items that the walks so far left out; none of a plugin that does not say.
    ///
    /// - Throws: What ``open(timeLimit:)`` throws.
    public func skippedItems() throws(KeychainError) -> [String] {
        do throws(KeychainError) {
            return try request(.skipped) { reader throws(KeychainError) in
                try reader.readSkipped()
            }
        } catch {
            guard error.status == .unimplemented else {
                throw error
            }
            return []
        }
    }

    /// Unlocks the keychain.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if a person would have to be asked and must not be
    ///   or can't be, ``Status/userCanceled`` if she refused, and what ``open(timeLimit:)`` throws.
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
