internal import KeychainServices
internal import SecurityFunctions

/// Returns what a status means, as a sentence.
///
/// - Parameter reserved: Nil.
public func SecCopyErrorMessageString(
    _ status: OSStatus, _ reserved: UnsafeMutableRawPointer?
) -> CFString? {
    let message = Status(rawValue: status).message
    return NSString(string: message.prefix(1).uppercased() + message.dropFirst() + ".")
}
