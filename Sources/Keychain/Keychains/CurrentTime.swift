public import KeychainServices
internal import LinuxSystem

/// Returns the current time.
public func currentTime() -> Timestamp { SystemCalls.now() }
