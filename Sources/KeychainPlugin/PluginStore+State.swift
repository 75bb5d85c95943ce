public import Keychain
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
