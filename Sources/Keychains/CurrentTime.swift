public import KeychainServices
internal import LinuxSystem

/// The time now.
public func currentTime() -> Timestamp { SystemCalls.now() }
