internal import LanyardSecrets

/// The numbers of an RSA public key: RFC 8017, section 3.1.
struct RSAPublicNumbers: ~Copyable {
    let modulus: BigNumber
    let exponent: BigNumber

    /// Creates the numbers, after checking what any key must fulfil. Whether the modulus is a product
    /// of two primes can't be seen.
    ///
    /// - Throws: ``Status/unsupportedKeySize`` for a modulus under 1,024 or over 16,384 bits, or an
    ///   exponent over 256 bits; ``Status/invalidKeyFormat``.
    init(
        modulus: consuming BigNumber, exponent: consuming BigNumber
    ) throws(KeychainError) {
        guard (1024...16384).contains(modulus.bitCount), exponent.bitCount <= 256 else {
            throw KeychainError(
                .unsupportedKeySize, "unsupported size of an RSA key",
                hint: "RSA keys of 1024 to 16384 bits are supported")
        }
        guard modulus.isOdd, exponent.isOdd, exponent.bitCount > 1 else {
            throw .invalidKeyFormat
        }
        self.modulus = modulus
        self.exponent = exponent
    }

    /// Reads an RSAPublicKey: RFC 8017, appendix A.1.1.
    init(_ bytes: Span<UInt8>) throws(KeychainError) {
        var reader = try DERReader.sequence(bytes)
        let modulus = try reader.integer(in: bytes)
        let exponent = try reader.integer(in: bytes)
        try reader.finish()
        try self.init(
            modulus: BigNumber(bytes.extracting(modulus)),
            exponent: BigNumber(bytes.extracting(exponent)))
    }

    /// Returns a new key of libcrypto's.
    func makeKey() throws(KeychainError) -> LibcryptoKey {
        let parameters = try KeyParameters()
        try parameters.add("n", modulus)
        try parameters.add("e", exponent)
        return try parameters.makeKey("RSA", .publicKey)
    }

    /// The RSAPublicKey.
    func encoded() throws(KeychainError) -> [UInt8] {
        try Secret.sequence { sequence throws(KeychainError) in
            try sequence.append(modulus)
            try sequence.append(exponent)
        }.publicBytes()
    }
}

extension SecretBuilder {
    /// Appends an integer.
    mutating func append(_ number: borrowing BigNumber) throws(KeychainError) {
        try number.bytes().withBytes { append(integer: $0) }
    }
}
