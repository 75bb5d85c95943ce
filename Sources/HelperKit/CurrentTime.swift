public import Keychain
internal import SealedStore

/// The time now.
public func currentTime() -> Timestamp { SystemCalls.now() }
