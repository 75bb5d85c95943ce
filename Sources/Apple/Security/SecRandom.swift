internal import SecurityFunctions

/// A source of random numbers. The C type is SecRandomRef.
public typealias SecRandomRef = AnyObject

/// The system's random numbers.
public var kSecRandomDefault: SecRandomRef? { nil }

/// Fills memory with random bytes of the system.
///
/// - Parameters:
///   - rnd: ``kSecRandomDefault``.
///   - count: The number of bytes.
/// - Returns: errSecSuccess, or errSecParam for a negative count.
@discardableResult
public func SecRandomCopyBytes(
    _ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer
) -> Int32 {
    guard count >= 0 else {
        return errSecParam
    }
    // Safe: the caller's memory, with the size that the caller gives.
    return unsafe fillWithRandomBytes(UnsafeMutableRawBufferPointer(start: bytes, count: count))
}
