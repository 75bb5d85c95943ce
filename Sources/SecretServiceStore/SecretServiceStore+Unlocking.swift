#if SecretService
internal import CGIO
public import KeychainServices

extension SecretServiceStore {
    private static let promptInterface = "org.freedesktop.Secret.Prompt"

    /// Unlocks the collection, asking a person if that may be.
    ///
    /// - Throws: ``Status/interactionNotAllowed`` if a person would have to be asked and must not
    ///   be or can't be, ``Status/userCanceled`` if she refused.
    ///
    /// The corresponding method is Unlock of org.freedesktop.Secret.Service.
    public func unlock() throws(KeychainError) {
        try perform { link throws(KeychainError) in try unlock(link) }
    }

    /// Locks the collection.
    ///
    /// The corresponding method is Lock of org.freedesktop.Secret.Service.
    public func lock() throws(KeychainError) {
        try perform { link throws(KeychainError) in
            let answer = try link.callService(
                "Lock", .tuple(.paths([try link.realPath()])), answer: "(aoo)")
            let prompt = answer.child(1).text.description
            if prompt != "/" {
                _ = try complete(prompt, link, unlocks: false)
            }
        }
    }

    func unlock(_ link: ServiceLink) throws(KeychainError) {
        let path = try link.realPath()
        let answer = try link.callService("Unlock", .tuple(.paths([path])), answer: "(aoo)")
        let prompt = answer.child(1).text.description
        if prompt != "/" {
            _ = try complete(prompt, link, unlocks: true)
        }
    }

    /// Lets the service do what it would ask a person about, and waits for the end of it.
    ///
    /// KeePassXC has a question for every item that is made, and asks nobody anything then. So where
    /// nothing is to be unlocked, nobody has to be there; a question that is put all the same is
    /// taken back when the call's time is over.
    ///
    /// - Returns: What the question was for.
    func complete(
        _ prompt: String, _ link: ServiceLink, unlocks: Bool
    ) throws(KeychainError) -> Variant {
        if isPromptAllowed, try canPrompt(link) {
            promptBegins?()
            loop.restart(limit: SecretServiceStore.promptLimit)
        } else if unlocks {
            dismiss(prompt, link)
            throw KeychainError(
                .interactionNotAllowed, "\(link.collectionName) is locked",
                hint: "unlock it on the desktop, or use another keychain")
        }
        let completion = try PromptCompletion(prompt, link.bus)
        do throws(KeychainError) {
            _ = try link.bus.call(
                prompt, SecretServiceStore.promptInterface, "Prompt",
                .tuple(.string("")), answer: "()")
            return try completion.wait()
        } catch {
            dismiss(prompt, link)
            throw error
        }
    }

    /// Takes a question back. Nobody waits for the answer.
    private func dismiss(_ prompt: String, _ link: ServiceLink) {
        _ = link.bus.send(
            prompt, SecretServiceStore.promptInterface, "Dismiss", .none, answer: "()")
    }

    /// Whether a person could be shown a question: this program has a display, where she is, and
    /// gnome-keyring's own program for questions can be started.
    func canPrompt(_ link: ServiceLink) throws(KeychainError) -> Bool {
        // Safe: nothing is read but whether there is something.
        guard unsafe g_getenv("DISPLAY") != nil || g_getenv("WAYLAND_DISPLAY") != nil else {
            return false
        }
        guard try isGnomeKeyring(link) else {
            return true
        }
        do throws(KeychainError) {
            _ = try link.bus.callBus(
                "StartServiceByName",
                .tuple(.string("org.gnome.keyring.SystemPrompter"), .noFlags), answer: "(u)")
            return true
        } catch {
            guard !loop.isTimeOver else {
                throw error
            }
            return false
        }
    }

    /// The unique name behind a well-known one, nil if nobody has it.
    func owner(of name: String, _ link: ServiceLink) throws(KeychainError) -> String? {
        do throws(KeychainError) {
            return try link.bus.callBus(
                "GetNameOwner", .tuple(.string(ByteString(name))), answer: "(s)"
            ).child(0).text.description
        } catch {
            guard !loop.isTimeOver else {
                throw error
            }
            return nil
        }
    }
}
#endif
