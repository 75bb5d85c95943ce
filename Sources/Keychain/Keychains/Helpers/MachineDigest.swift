internal import LanyardConfiguration
public import KeychainServices
internal import SealedStore

/// Returns a digest of 32 bytes that only this machine can compute, nil if it has no key yet.
///
/// - Parameters:
///   - keychainName: The keychain it concerns; digests for different keychains are unrelated.
///   - use: Its purpose, which separates digests in the same way.
public func machineDigest(
    _ bytes: borrowing Secret, keychainName: String, use: StaticString
) -> [UInt8]? {
    guard let places = try? Places(),
        let key = try? MachineKey.read(stateFolder: places.state)
    else {
        return nil
    }
    var content = SecretBuilder(capacity: bytes.count + 128)
    content.append(ByteString(keychainName))
    // Names contain no NUL, which makes the boundary between name and bytes unambiguous.
    content.append(0)
    content.append(bytes)
    return key.digest(content.finish(), use: use)
}
