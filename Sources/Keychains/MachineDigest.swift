internal import Configuration
public import KeychainServices
internal import SealedStore

/// A digest of 32 bytes that only this machine can make, nil where it has no key yet.
///
/// - Parameters:
///   - keychainName: The keychain it concerns: digests for different ones have nothing in common.
///   - use: What it is for, likewise.
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
    // No name holds a NUL, so that name and bytes can't be taken apart in two ways.
    content.append(0)
    content.append(bytes)
    return key.digest(content.finish(), use: use)
}
