internal import LanyardSecrets

/// How much work a file asks for to check its password, which has a limit: a file can ask for years.
enum PasswordWork {
    /// The largest number of iterations. OWASP advises 600,000.
    static let iterationLimit = 10_000_000
    /// The most memory for scrypt, which is libcrypto's own limit where it decrypts PKCS #8.
    static let memoryLimit = 32 << 20
    /// The most memory that scrypt may go over.
    static let traversalLimit = 1 << 30

    /// Checks the AlgorithmIdentifier of an encrypted key.
    ///
    /// - Returns: The number of iterations; scrypt's work in as many iterations as take about as long.
    /// - Throws: ``Status/invalidKeyFormat``; ``Status/dataTooLarge`` for more work than the limits.
    @discardableResult
    static func check(_ reader: DERReader, in bytes: Span<UInt8>) throws(KeychainError) -> Int {
        var reader = reader
        let identifier = bytes.extracting(try reader.read(.objectIdentifier, in: bytes))
        var parameters = try reader.sequence(in: bytes)
        try reader.finish()
        guard isSecondVersion(identifier) else {
            // PBES1 and PKCS #12: RFC 8018, appendix A.3; RFC 7292, appendix C.
            _ = try parameters.read(.octetString, in: bytes)
            let iterations = try check(iterations: parameters.number(in: bytes))
            try parameters.finish()
            return iterations
        }
        var function = try parameters.sequence(in: bytes)
        _ = try parameters.sequence(in: bytes)
        try parameters.finish()
        let name = bytes.extracting(try function.read(.objectIdentifier, in: bytes))
        var values = try function.sequence(in: bytes)
        try function.finish()
        _ = try values.read(.octetString, in: bytes)
        if ObjectIdentifier.pbkdf2.equals(name) {
            return try check(iterations: values.number(in: bytes))
        } else if ObjectIdentifier.scrypt.equals(name) {
            return try check(
                scryptCost: values.number(in: bytes), blockSize: values.number(in: bytes),
                parallelization: values.number(in: bytes))
        } else {
            throw KeychainError(.unsupportedKeyFormat, "unsupported encryption of the key")
        }
    }

    /// Whether an algorithm is one of RFC 8018's PBES2 and PBMAC1, whose parameters begin alike.
    private static func isSecondVersion(_ identifier: Span<UInt8>) -> Bool {
        ObjectIdentifier.pbes2.equals(identifier) || ObjectIdentifier.pbmac1.equals(identifier)
    }

    private static func check(iterations: Int) throws(KeychainError) -> Int {
        guard (1...iterationLimit).contains(iterations) else {
            throw tooMuch
        }
        return iterations
    }

    private static func check(
        scryptCost cost: Int, blockSize: Int, parallelization: Int
    ) throws(KeychainError) -> Int {
        let (memory, isLarge) = (cost * 128).multipliedReportingOverflow(by: blockSize)
        guard cost > 1, blockSize > 0, parallelization > 0, !isLarge, memory <= memoryLimit,
            parallelization <= traversalLimit / memory
        else {
            throw tooMuch
        }
        // An iteration takes as long as scrypt over some 250 bytes.
        return memory * parallelization / 256
    }

    static var tooMuch: KeychainError {
        KeychainError(
            .dataTooLarge, "checking the password of this key would take too long",
            hint: "encrypt it again with the program that wrote it, with fewer iterations")
    }
}
