internal import LanyardSecrets

/// The numbers of an RSA private key with two primes: RFC 8017, section 3.2.
struct RSAPrivateNumbers: ~Copyable {
    let publicNumbers: RSAPublicNumbers
    /// d
    let privateExponent: BigNumber
    /// p
    let prime1: BigNumber
    /// q
    let prime2: BigNumber
    /// d mod (p - 1)
    let exponent1: BigNumber
    /// d mod (q - 1)
    let exponent2: BigNumber
    /// q⁻¹ mod p
    let coefficient: BigNumber

    /// Reads an RSAPrivateKey, and checks its numbers against each other.
    ///
    /// RFC 8017, appendix A.1.2.
    static func read(_ bytes: Span<UInt8>) throws(KeychainError) -> RSAPrivateNumbers {
        var reader = try DERReader.sequence(bytes)
        guard try reader.number(in: bytes) == 0 else {
            throw KeychainError(.unsupportedKeyFormat, "RSA keys with more than two primes")
        }
        let numbers = RSAPrivateNumbers(
            publicNumbers: try RSAPublicNumbers(
                modulus: BigNumber(bytes.extracting(reader.integer(in: bytes))),
                exponent: BigNumber(bytes.extracting(reader.integer(in: bytes)))),
            privateExponent: try BigNumber(bytes.extracting(reader.integer(in: bytes))),
            prime1: try BigNumber(bytes.extracting(reader.integer(in: bytes))),
            prime2: try BigNumber(bytes.extracting(reader.integer(in: bytes))),
            exponent1: try BigNumber(bytes.extracting(reader.integer(in: bytes))),
            exponent2: try BigNumber(bytes.extracting(reader.integer(in: bytes))),
            coefficient: try BigNumber(bytes.extracting(reader.integer(in: bytes))))
        try reader.finish()
        try numbers.check()
        return numbers
    }

    /// Returns the numbers of what an OpenSSH file has, checked against each other.
    static func make(
        _ publicNumbers: consuming RSAPublicNumbers, privateExponent: consuming BigNumber,
        prime1: consuming BigNumber, prime2: consuming BigNumber, coefficient: consuming BigNumber
    ) throws(KeychainError) -> RSAPrivateNumbers {
        guard prime1.bitCount > 1, prime2.bitCount > 1 else {
            throw .invalidKeyFormat
        }
        let arithmetic = try BigNumberArithmetic()
        let exponent1 = try arithmetic.remainder(
            privateExponent, modulo: arithmetic.decrement(prime1))
        let exponent2 = try arithmetic.remainder(
            privateExponent, modulo: arithmetic.decrement(prime2))
        let numbers = RSAPrivateNumbers(
            publicNumbers: publicNumbers, privateExponent: privateExponent, prime1: prime1,
            prime2: prime2, exponent1: exponent1, exponent2: exponent2, coefficient: coefficient)
        try numbers.check()
        return numbers
    }

    /// Throws if the numbers contradict each other. That the primes are some is not tested: it would
    /// take minutes for the longest keys, and a wrong key only fails to sign.
    private func check() throws(KeychainError) {
        let bits = publicNumbers.modulus.bitCount
        guard prime1.bitCount > 1, prime2.bitCount > 1, prime1.isOdd, prime2.isOdd,
            privateExponent.bitCount <= bits
        else {
            throw .invalidKeyFormat
        }
        let arithmetic = try BigNumberArithmetic()
        guard try arithmetic.multiply(prime1, prime2).equals(publicNumbers.modulus),
            try isInverse(exponent1, modulo: prime1, arithmetic),
            try isInverse(exponent2, modulo: prime2, arithmetic),
            coefficient.isLess(than: prime1),
            try arithmetic.multiply(coefficient, prime2, modulo: prime1).isOne
        else {
            throw KeychainError.publicKeyInconsistent
        }
    }

    /// Whether an exponent is that of the private key for a prime, and undoes the public one.
    private func isInverse(
        _ exponent: borrowing BigNumber, modulo prime: borrowing BigNumber,
        _ arithmetic: borrowing BigNumberArithmetic
    ) throws(KeychainError) -> Bool {
        let order = try arithmetic.decrement(prime)
        guard try arithmetic.remainder(privateExponent, modulo: order).equals(exponent) else {
            return false
        }
        return try arithmetic.multiply(
            exponent, publicNumbers.exponent, modulo: order
        ).isOne
    }

    /// Returns a new key of libcrypto's.
    func makeKey() throws(KeychainError) -> LibcryptoKey {
        let parameters = try KeyParameters()
        try parameters.add("n", publicNumbers.modulus)
        try parameters.add("e", publicNumbers.exponent)
        try parameters.add("d", privateExponent)
        try parameters.add("rsa-factor1", prime1)
        try parameters.add("rsa-factor2", prime2)
        try parameters.add("rsa-exponent1", exponent1)
        try parameters.add("rsa-exponent2", exponent2)
        try parameters.add("rsa-coefficient1", coefficient)
        return try parameters.makeKey("RSA", .keyPair)
    }

    /// The RSAPrivateKey.
    func encoded() throws(KeychainError) -> Secret {
        try Secret.sequence { sequence throws(KeychainError) in
            sequence.append(integer: 0)
            try sequence.append(publicNumbers.modulus)
            try sequence.append(publicNumbers.exponent)
            try sequence.append(privateExponent)
            try sequence.append(prime1)
            try sequence.append(prime2)
            try sequence.append(exponent1)
            try sequence.append(exponent2)
            try sequence.append(coefficient)
        }
    }
}
