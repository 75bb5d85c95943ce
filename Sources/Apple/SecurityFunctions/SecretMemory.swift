internal import Glibc
internal import KeychainServices

/// A secret in memory that C callers can get: its length, then its bytes.
@safe  // Safe: the memory is its own until `give` hands it over.
final class SecretMemory {
    private var bytes: UnsafeMutableRawPointer?
    private let count: Int

    /// The room for the length, which leaves the bytes aligned for any use.
    private static let headerSize = 16

    /// - Throws: ``Status/allocate``.
    init(_ secret: borrowing Secret) throws(KeychainError) {
        // Safe: header and secret fit.
        guard let memory = unsafe malloc(SecretMemory.headerSize + secret.count) else {
            throw KeychainError(.allocate)
        }
        unsafe memory.storeBytes(of: secret.count, as: Int.self)
        let bytes = unsafe memory + SecretMemory.headerSize
        unsafe self.bytes = bytes
        count = secret.count
        secret.withBytes { span in
            // Safe: there is room for the secret's own bytes.
            unsafe span.withUnsafeBytes { source in
                unsafe UnsafeMutableRawBufferPointer(start: bytes, count: source.count)
                    .copyMemory(from: source)
            }
        }
    }

    deinit {
        // Safe: what was given away is nil.
        unsafe SecretMemory.free(bytes)
    }

    /// Gives the memory to a caller who has a place for its address.
    @unsafe  // Safe: callers pass memory as they got it.
    func give(
        _ length: UnsafeMutablePointer<UInt32>?,
        _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) {
        // Safe: the caller's memory.
        unsafe length?.pointee = UInt32(count)
        if let place = unsafe place {
            unsafe place.pointee = bytes
            unsafe bytes = nil
        }
    }

    /// Wipes and frees what ``give(_:_:)`` gave.
    @unsafe  // Safe: callers pass memory as they got it.
    static func free(_ bytes: UnsafeMutableRawPointer?) {
        // Safe: the memory of a caller, with the size that the caller gives.
        guard let bytes = unsafe bytes else {
            return
        }
        // Safe: the length is before the bytes.
        let memory = unsafe bytes - headerSize
        unsafe explicit_bzero(bytes, memory.load(as: Int.self))
        unsafe Glibc.free(memory)
    }
}
