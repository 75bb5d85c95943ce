package import Keychain

/// The system's random bytes for many that need not stay secret, such as salts, fetched many at a time.
package struct RandomReserve {
    private var bytes: [UInt8] = []
    private var position = 0
    private static let size = 8192

    /// Nothing is fetched yet.
    package init() {}

    /// Random bytes that were not given before.
    package mutating func take(_ count: Int) throws(KeychainError) -> [UInt8] {
        if bytes.count - position < count {
            bytes = try RandomBytes.make(max(count, RandomReserve.size))
            position = 0
        }
        defer { position += count }
        return Array(bytes[position..<(position + count)])
    }
}
