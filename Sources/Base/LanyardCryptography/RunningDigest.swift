internal import CSodium

/// The digest of public bytes that come one after the other, as ``KeyedDigest/plain(_:)`` has it of all of them.
@safe  // Safe: the memory is its own, as libsodium wants it, and freed in `deinit` alone.
package final class RunningDigest {
    private let state = UnsafeMutableRawPointer.allocate(
        byteCount: lanyard_running_digest_size(), alignment: 64)

    package init() {
        Sodium.setUp()
        // Safe: the memory has the size and the alignment.
        unsafe lanyard_running_digest_begin(state)
    }

    deinit {
        // Safe: this is its last use.
        unsafe state.deallocate()
    }

    /// Appends bytes.
    package func append(_ bytes: Span<UInt8>) {
        // Safe: the span is alive for the call.
        unsafe bytes.withUnsafeBufferPointer {
            unsafe lanyard_running_digest_add(state, $0.baseAddress, $0.count)
        }
    }

    /// Returns the digest. Nothing can be appended afterwards.
    package func finish() -> [UInt8] {
        // Safe: the memory has room for the 32 bytes.
        unsafe [UInt8](unsafeUninitializedCapacity: KeyedDigest.size) { memory, count in
            unsafe lanyard_running_digest_end(state, memory.baseAddress)
            count = KeyedDigest.size
        }
    }
}
