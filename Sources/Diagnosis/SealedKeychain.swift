internal import Configuration
internal import KeychainServices
internal import LinuxSystem
internal import SealedStore

/// A sealed keychain that there is, or should be.
struct SealedKeychain: Sendable {
    let name: String
    let location: KeychainLocation
    /// Whether it is in the search list.
    let isInUse: Bool

    /// The option that names it, nothing for the one that needs none.
    var option: FindingText { name == Configuration.login ? "" : " --keychain \(name: name)" }

    /// Whether there is a file.
    var exists: Bool { (try? PrivatePlace.exists(location.file)) == true }
}
