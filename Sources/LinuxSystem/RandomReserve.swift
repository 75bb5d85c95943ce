package import Secrets

/// The system's random bytes for many that need not stay secret, such as salts, fetched many at a time.
package struct RandomReserve {
    private var bytes: [UInt8] = []
    private var position = 0
    private static let size = 8192

    /// Nothing is fetched yet.
    package init() {}

    /// Sees to it that so many bytes can be taken.
    ///
    /// - Throws: ``Status/io`` where the system gives none.
    package mutating func reserve(_ count: Int) throws(KeychainError) {
        if bytes.count - position < count {
            bytes = try RandomBytes.make(max(count, RandomReserve.size))
            position = 0
        }
    }

    /// A number of 8 bytes of those that were reserved, which were not given before.
    package mutating func takeNumber() -> UInt64 {
        var number: UInt64 = 0
        for index in 0..<8 {
            number = number << 8 | UInt64(bytes[position + index])
        }
        position += 8
        return number
    }

    /// 32 bytes of those that were reserved, which were not given before.
    package mutating func take32() -> InlineArray<32, UInt8> {
        precondition(bytes.count - position >= 32, "the bytes were reserved")
        defer { position += 32 }
        // Safe: there are as many bytes.
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe bytes.loadUnaligned(fromByteOffset: position, as: InlineArray<32, UInt8>.self)
        }
    }
}
