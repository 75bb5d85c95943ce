internal import LanyardConfiguration
internal import KeychainServices
internal import LinuxSystem
internal import SealedStore

/// A sealed keychain that exists, or should.
struct SealedKeychain: Sendable {
    let name: String
    let location: KeychainLocation
    /// Whether it is in the search list.
    let isInUse: Bool
    /// Whether commands for sealed keychains use it without the option.
    let isFirst: Bool

    /// The option that names it, empty for the first one.
    var option: FindingText { isFirst ? "" : " --keychain \(name: name)" }

    var exists: Bool { (try? PrivatePlace.exists(location.file)) == true }
}
