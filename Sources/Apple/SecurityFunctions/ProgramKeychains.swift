internal import LanyardConfiguration
internal import Keychains
package import KeychainServices
internal import LinuxSystem

/// The keychains that this process has open. Any thread may use them; they serve one at a time.
package enum ProgramKeychains {
    private struct Key: Hashable {
        let name: String?
        let mayAsk: Bool
    }

    private static let lock = RecursiveLock()
    // Safe: only the thread with the lock uses it.
    nonisolated(unsafe) private static var opened: [Key: Keychain] = [:]

    /// Runs a closure on a keychain, with this program's access groups.
    ///
    /// - Parameters:
    ///   - name: The keychain's name; nil for those of the search list as one.
    ///   - mayAsk: Whether it may ask the user for a passphrase, if `Keychain.isUserInteractionAllowed` also
    ///     allows it.
    /// - Throws: What opening the keychain and the closure throw.
    package static func withKeychain<Result: ~Copyable>(
        _ name: String? = nil, mayAsk: Bool = true,
        _ body: (Keychain) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        lock.acquire()
        defer { lock.release() }
        let key = Key(name: name, mayAsk: mayAsk && Keychain.isUserInteractionAllowed)
        do throws(KeychainError) {
            return try body(try keychain(key))
        } catch {
            if [.notAvailable, .noSuchKeychain, .readOnly].contains(error.status) {
                // The next call tries again.
                // Safe: this thread has the lock.
                unsafe opened[key] = nil
            }
            throw error
        }
    }

    private static func keychain(_ key: Key) throws(KeychainError) -> Keychain {
        // Safe: this thread has the lock.
        if let keychain = unsafe opened[key] {
            return keychain
        }
        let configuration = try Configuration()
        let store = try SearchListStore(
            flag: key.name, configuration: key.mayAsk ? configuration : configuration.withoutAsking,
            isSilent: true)
        let keychain = try store.keychain(accessGroups: .ofThisProgram())
        // Safe: this thread has the lock.
        unsafe opened[key] = keychain
        return keychain
    }

    /// Closes every keychain, because their files or locks changed.
    package static func closeAll() {
        lock.acquire()
        defer { lock.release() }
        // Safe: this thread has the lock.
        unsafe opened = [:]
    }
}

/// Runs a closure and returns its status as a number.
package func status(of body: () throws(KeychainError) -> Void) -> Int32 {
    do throws(KeychainError) {
        try body()
        return Status.success.rawValue
    } catch {
        return error.status.rawValue
    }
}
