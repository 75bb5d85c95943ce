package import Keychain

/// The system's random bytes.
package enum RandomBytes {
    /// Random bytes that need not stay secret, such as a salt.
    package static func make(_ count: Int) throws(KeychainError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var result = Result<Void, SystemCallError>.success(())
        // Safe: the buffer has the array's own count.
        unsafe bytes.withUnsafeMutableBytes { buffer in
            result = Result { () throws(SystemCallError) in try unsafe SystemCalls.getrandom(buffer)
            }
        }
        do throws(SystemCallError) {
            try result.get()
        } catch {
            throw error.keychainError("the system gives no random numbers")
        }
        return bytes
    }

    /// A new key of 32 bytes.
    package static func makeKey() throws(KeychainError) -> Secret {
        do throws(SystemCallError) {
            // Safe: all of the memory is filled, as `getrandom` writes what it has room for.
            return try unsafe Secret(capacity: 32) { memory throws(SystemCallError) in
                try unsafe SystemCalls.getrandom(memory)
                return 32
            }
        } catch {
            throw error.keychainError("the system gives no random numbers")
        }
    }
}

/// Bytes as pairs of digits 0 to 9 and a to f.
package func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 0xF)])
    }
    return String(decoding: text, as: UTF8.self)
}
