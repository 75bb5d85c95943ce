#if SecretService
internal import CLibsecret
public import KeychainServices

extension SecretServiceStore {
    /// Unlocks the collection, asking a person if that may be.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if a person would have to be asked and must not
    ///   be or can't be, ``Status/userCanceled`` if she refused.
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

    /// Whether the service may put a question to a person now; she is waited for then.
    ///
    /// KeePassXC has a question for every item that is made, and asks nobody anything then. So where
    /// nothing is to be unlocked, nobody has to be there; a question that is put all the same is
    /// taken back when the call's time is over.
    func mayAsk(_ link: ServiceLink) -> Bool {
        guard isPromptAllowed, (try? canPrompt(link)) == true else {
            return !link.isUnlocking
        }
        promptBegins?()
        watch.restart(limit: SecretServiceStore.promptLimit)
        return true
    }

    /// Whether a person could be shown a question: this program has a display, where she is, and
    /// gnome-keyring's own program for questions can be started.
    func canPrompt(_ link: ServiceLink) throws(KeychainError) -> Bool {
        // Safe: nothing is read but whether there is something.
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
