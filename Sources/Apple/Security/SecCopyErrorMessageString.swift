internal import KeychainServices

/// Returns what a status means, as a sentence.
///
/// - Parameter reserved: Nil.
public func SecCopyErrorMessageString(
    _ status: OSStatus, _ reserved: UnsafeMutableRawPointer?
) -> CFString? {
    let meaning = Status(rawValue: status).meaning
    return NSString(string: meaning.prefix(1).uppercased() + meaning.dropFirst() + ".")
}
