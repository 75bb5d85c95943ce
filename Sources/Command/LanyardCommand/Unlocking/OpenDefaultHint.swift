internal import LanyardConfiguration
internal import KeychainServices
internal import Keychains
internal import LanyardPrompting

/// Tells the user that the last command did not concern the keychain for new logins.
///
/// - Parameter lock: Whether the command locks.
func hintAtOpenDefault(
    _ configuration: Configuration, lock: Bool
) throws(KeychainError) {
    let name = try configuration.defaultKeychain()
    guard try configuration.kind(ofKeychain: name) != .sealed else {
        return
    }
    printHint(
        lock
            ? "this does not lock the keychain '\(name)'; "
                + "lanyard lock --keychain \(name) does"
            : "this concerns a sealed keychain, but new logins go to '\(name)', which has its "
                + "own lock")
}
