public import Keychain
internal import SealedStore

/// A digest of 32 bytes that only this machine can make, nil where it has no key yet.
///
/// - Parameter use: What it is for; digests for different uses have nothing in common.
public func machineDigest(_ bytes: borrowing Secret, use: StaticString) -> [UInt8]? {
    guard let places = try? Places(),
        let key = try? MachineKey.read(stateFolder: places.state)
    else {
        return nil
    }
    return key.digest(bytes, use: use)
}
