internal import CLibcrypto
internal import LanyardSecrets

/// A hash function: FIPS 180-4.
enum DigestAlgorithm: String, CaseIterable, Sendable {
    case sha1 = "SHA1"
    case sha224 = "SHA224"
    case sha256 = "SHA256"
    case sha384 = "SHA384"
    case sha512 = "SHA512"

    /// The number of bytes of a digest.
    var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha224: 28
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// libcrypto's functions for it.
    var functions: OpaquePointer? {
        // Safe: constants that live as long as the program.
        switch self {
        case .sha1: unsafe EVP_sha1()
        case .sha224: unsafe EVP_sha224()
        case .sha256: unsafe EVP_sha256()
        case .sha384: unsafe EVP_sha384()
        case .sha512: unsafe EVP_sha512()
        }
    }
}

extension Libcrypto {
    static func digest(_ bytes: Span<UInt8>, _ algorithm: DigestAlgorithm) -> [UInt8] {
        start()
        var digest = [UInt8](repeating: 0, count: algorithm.byteCount)
        // Safe: the bytes are read during the call only, and there is room for the digest.
        let result = unsafe bytes.withUnsafeBufferPointer {
            unsafe EVP_Digest(
                $0.baseAddress, $0.count, &digest, nil, algorithm.functions, nil)
        }
        guard result == 1 else {
            fatalError("libcrypto has no SHA")
        }
        return digest
    }
}

extension Span<UInt8> {
    /// Returns the digest of bytes that are secret.
    func secretDigest(_ algorithm: DigestAlgorithm) -> Secret {
        Libcrypto.start()
        // Safe: the bytes are read during the call only, and there is room for the digest.
        return unsafe Secret(capacity: algorithm.byteCount) { memory in
            let result = unsafe withUnsafeBufferPointer {
                unsafe EVP_Digest(
                    $0.baseAddress, $0.count,
                    memory.baseAddress?.assumingMemoryBound(to: UInt8.self), nil,
                    algorithm.functions, nil)
            }
            guard result == 1 else {
                fatalError("libcrypto has no SHA")
            }
            return algorithm.byteCount
        }
    }
}
