#if SecretService
/// What a prompt asks the user for.
enum Question: Hashable {
    /// To unlock these keychains, one after the other.
    case unlock([String])
    /// To create a keychain with a name.
    case create(String)
    /// To delete a keychain.
    case delete(String)

    /// What the asking program gets for each keychain: the word and the keychain's name.
    var parts: [(ask: String, keychain: String)] {
        switch self {
        case .unlock(let names): names.map { ("unlock", $0) }
        case .create(let name): [("create", name)]
        case .delete(let name): [("delete", name)]
        }
    }
}
#endif
