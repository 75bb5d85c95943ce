internal import KeychainServices

/// The blobs of several rows, one after the other, in memory that is used again and again.
struct BlobBuffer {
    /// The blobs, and behind them what is left of earlier ones.
    private(set) var bytes: [UInt8] = []
    /// How many bytes the blobs have.
    private(set) var count = 0

    /// How many bytes there is room for at least.
    private static let leastSize = 1 << 16

    /// Forgets all blobs.
    mutating func removeAll() {
        count = 0
    }

    /// Adds what a closure appends.
    ///
    /// - Parameter room: How many bytes it may append.
    @inline(__always)
    mutating func append(room: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
        if bytes.count - count < room {
            let size = max(bytes.count * 2, count + room, BlobBuffer.leastSize)
            bytes += [UInt8](repeating: 0, count: size - bytes.count)
        }
        // Safe: the span lies in the array's own bytes, and says how many of its own were written.
        count += unsafe bytes.withUnsafeMutableBufferPointer { bytes in
            let rest = unsafe UnsafeMutableBufferPointer(rebasing: bytes[count..<(count + room)])
            var output = unsafe OutputSpan(buffer: rest, initializedCount: 0)
            body(&output)
            return unsafe output.finalize(for: rest)
        }
    }
}
