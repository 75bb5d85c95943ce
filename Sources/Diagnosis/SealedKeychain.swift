internal import Configuration
internal import KeychainServices
internal import LinuxSystem
internal import SealedStore

/// A sealed keychain that exists, or should.
struct SealedKeychain: Sendable {
    let name: String
    let location: KeychainLocation
    /// Whether it is in the search list.
    let isInUse: Bool

    /// The option that names it, empty for the default.
    var option: FindingText { name == Configuration.login ? "" : " --keychain \(name: name)" }

    var exists: Bool { (try? PrivatePlace.exists(location.file)) == true }
}
