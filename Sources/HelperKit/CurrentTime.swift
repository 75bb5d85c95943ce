public import Keychain
internal import LinuxSystem

/// The time now.
public func currentTime() -> Timestamp { SystemCalls.now() }
