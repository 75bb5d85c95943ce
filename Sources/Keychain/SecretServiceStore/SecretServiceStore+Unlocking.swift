#if SecretService
internal import CLibsecret
public import KeychainServices

extension SecretServiceStore {
    /// Unlocks the collection, asking the user if allowed.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if that needs the user, who must not or can't be
    ///   asked, ``Status/userCanceled`` if the user refuses.
    ///
    /// The corresponding method is Unlock of org.freedesktop.Secret.Service.
    public func unlock() throws(KeychainError) {
        try perform { link throws(KeychainError) in try link.unlock() }
    }

    /// Locks the collection.
    ///
    /// The corresponding method is Lock of org.freedesktop.Secret.Service.
    public func lock() throws(KeychainError) {
        try perform { link throws(KeychainError) in try link.libsecret.lock(link.path()) }
    }

    /// Returns whether the service may ask the user now; the call then waits for the answer.
    ///
    /// KeePassXC creates a question object for every new item, even without asking the user. If
    /// nothing has to be unlocked, no user is required; a question that appears nevertheless is
    /// withdrawn after the call's time limit.
    func mayAsk(_ link: ServiceLink) -> Bool {
        guard isPromptAllowed, !isAskingSuppressed, Keychain.isUserInteractionAllowed,
            (try? canPrompt(link)) == true
        else {
            return !link.isUnlocking
        }
        promptBegins?()
        watch.restart(limit: SecretServiceStore.promptLimit)
        return true
    }

    /// Returns whether the user could be asked: this program has a display, and gnome-keyring's
    /// program for questions can start.
    func canPrompt(_ link: ServiceLink) throws(KeychainError) -> Bool {
        // Safe: the pointers are only compared with NULL.
        guard unsafe g_getenv("DISPLAY") != nil || g_getenv("WAYLAND_DISPLAY") != nil else {
            return false
        }
        guard try link.isGnomeKeyring() else {
            return true
        }
        do throws(KeychainError) {
            try link.connection.start("org.gnome.keyring.SystemPrompter", watch)
            return true
        } catch {
            guard !watch.isOver else {
                throw error
            }
            return false
        }
    }
}
#endif
