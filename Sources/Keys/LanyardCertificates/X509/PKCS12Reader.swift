internal import CLibcrypto
internal import KeychainServices

/// Reads a PKCS #12 file, part by part, and checks how much work each part asks for before it is done: RFC 7292.
@safe  // Safe: the file is its own, and freed in `deinit` alone.
struct PKCS12Reader: ~Copyable {
    private let file: OpaquePointer
    private let password: Secret
    /// Whether the file was made with a password, perhaps an empty one.
    private let hasPassword: Bool
    /// Whether the password was checked.
    private let hasMAC: Bool
    /// How many iterations the file may still ask for.
    private var remainingWork = PasswordWork.iterationLimit

    /// Parses a file and checks its password.
    init(
        _ contents: borrowing Secret, password: borrowing Secret
    ) throws(KeychainError) {
        Libcrypto.start()
        guard contents.count <= PKCS12.sizeLimit else {
            throw KeychainError(.dataTooLarge, "a PKCS #12 file has at most 16 MiB")
        }
        // Safe: libcrypto reads within the bytes, and makes a file of its own, which this value owns.
        let parsed = unsafe contents.withBytes { bytes in
            unsafe bytes.withUnsafeBufferPointer { bytes in
                var position = bytes.baseAddress
                return unsafe d2i_PKCS12(nil, &position, bytes.count)
            }
        }
        guard let file = unsafe parsed else {
            throw Libcrypto.error(.unknownFormat, "not a PKCS #12 file")
        }
        do throws(KeychainError) {
            if unsafe PKCS12_mac_present(file) == 1 {
                remainingWork -= try unsafe PKCS12Reader.work(file)
                hasPassword = try unsafe PKCS12Reader.hasPassword(file, password)
            } else {
                hasPassword = true
            }
        } catch {
            unsafe PKCS12_free(file)
            throw error
        }
        hasMAC = unsafe PKCS12_mac_present(file) == 1
        unsafe self.file = file
        self.password = password.copy()
    }

    deinit {
        // Safe: the last use.
        unsafe PKCS12_free(file)
    }

    /// Returns the number of iterations with which the password is checked.
    private static func work(_ file: OpaquePointer) throws(KeychainError) -> Int {
        var algorithm: UnsafePointer<X509_ALGOR>?
        var iterations: UnsafePointer<ASN1_INTEGER>?
        // Safe: what libcrypto returns belongs to the caller's file.
        unsafe PKCS12_get0_mac(nil, &algorithm, nil, &iterations, file)
        guard let algorithm = unsafe algorithm else {
            throw KeychainError(.decode, "a damaged PKCS #12 file")
        }
        var identifier: OpaquePointer?
        unsafe X509_ALGOR_get0(&identifier, nil, nil, algorithm)
        let encoded = try unsafe Libcrypto.encoding { unsafe i2d_ASN1_OBJECT(identifier, $0) }
        if encoded.dropFirst(2).elementsEqual(ObjectIdentifier.pbmac1.bytes) {
            return try unsafe work(algorithm)
        }
        let count = unsafe iterations.map { unsafe ASN1_INTEGER_get($0) } ?? 1
        guard (1...PasswordWork.iterationLimit).contains(count) else {
            throw PKCS12Reader.tooMuchWork
        }
        return count
    }

    /// Returns the number of iterations that an algorithm asks for.
    private static func work(
        _ algorithm: UnsafePointer<X509_ALGOR>
    ) throws(KeychainError) -> Int {
        // Safe: the algorithm belongs to the caller's file.
        let encoded = try unsafe Libcrypto.encoding { unsafe i2d_X509_ALGOR(algorithm, $0) }
        return try PasswordWork.check(DERReader.sequence(encoded.span), in: encoded.span)
    }

    private static var tooMuchWork: KeychainError {
        KeychainError(.dataTooLarge, "checking the file's password would take too long")
    }

    /// Checks the password.
    ///
    /// - Returns: Whether it is one; a file without a password differs from one with an empty one.
    private static func hasPassword(
        _ file: OpaquePointer, _ password: borrowing Secret
    ) throws(KeychainError) -> Bool {
        ERR_clear_error()
        // Safe: libcrypto reads the file and the password only.
        if unsafe password.withCharacters({ unsafe PKCS12_verify_mac(file, $0, $1) }) == 1 {
            return true
        }
        // A wrong password leaves no error.
        guard ERR_peek_error() == 0 else {
            throw Libcrypto.error(
                .unsupportedKeyFormat,
                "this version of OpenSSL can't check the file's passphrase",
                hint: "make it again with openssl pkcs12 -export, without PBMAC1")
        }
        if password.count == 0, unsafe PKCS12_verify_mac(file, nil, 0) == 1 {
            return false
        }
        throw Libcrypto.error(.pkcs12VerifyFailure, "wrong passphrase")
    }

    /// Reads all parts.
    mutating func read(into contents: inout PKCS12) throws(KeychainError) {
        if !hasMAC {
            contents.weaknesses.insert(.noMAC)
        }
        // Safe: what libcrypto returns is freed here.
        guard let parts = unsafe PKCS12_unpack_authsafes(file) else {
            throw Libcrypto.error(.decode, "a damaged PKCS #12 file")
        }
        defer { unsafe lanyard_pkcs7_stack_free(parts) }
        var index: Int32 = 0
        while let part = unsafe lanyard_pkcs7_at(parts, index) {
            index += 1
            guard let bags = try unsafe unpack(part, &contents.weaknesses) else {
                continue
            }
            defer { unsafe lanyard_bag_stack_free(bags) }
            try unsafe read(bags, depth: 0, into: &contents)
        }
    }

    /// Returns the bags of a part, nil for one that is encrypted with a public key.
    private mutating func unpack(
        _ part: UnsafeMutablePointer<PKCS7>, _ weaknesses: inout Set<PKCS12.Weakness>
    ) throws(KeychainError) -> OpaquePointer? {
        // Safe: the part belongs to the caller; what is returned is freed there.
        if unsafe lanyard_pkcs7_is_data(part) == 1 {
            guard let bags = unsafe PKCS12_unpack_p7data(part) else {
                throw Libcrypto.error(.decode, "a damaged PKCS #12 file")
            }
            return unsafe bags
        }
        guard let algorithm = unsafe lanyard_pkcs7_algorithm(part) else {
            return nil
        }
        try unsafe check(algorithm)
        let isRC2 = unsafe lanyard_is_rc2(algorithm) == 1
        if isRC2 {
            weaknesses.insert(.rc2)
        }
        ERR_clear_error()
        let bags = unsafe password.withCharacters { text, count in
            let (text, count) = unsafe (hasPassword ? text : nil, hasPassword ? count : 0)
            return unsafe isRC2
                ? lanyard_unpack_rc2(part, text, count) : PKCS12_unpack_p7encdata(part, text, count)
        }
        guard let bags = unsafe bags else {
            throw undecryptable()
        }
        return unsafe bags
    }

    private mutating func read(
        _ bags: OpaquePointer, depth: Int, into contents: inout PKCS12
    ) throws(KeychainError) {
        var index: Int32 = 0
        // Safe: the bags belong to the caller.
        while let bag = unsafe lanyard_bag_at(bags, index) {
            index += 1
            guard contents.keys.count + contents.certificates.count < PKCS12.countLimit else {
                throw KeychainError(
                    .dataTooLarge, "a PKCS #12 file has at most \(PKCS12.countLimit) items")
            }
            switch unsafe PKCS12_SAFEBAG_get_nid(bag) {
            case NID_keyBag:
                try unsafe append(
                    PKCS12_SAFEBAG_get0_p8inf(bag), PKCS12Reader.name(of: bag), to: &contents)
            case NID_pkcs8ShroudedKeyBag: try unsafe readEncryptedKey(bag, into: &contents)
            case NID_certBag: try unsafe readCertificate(bag, into: &contents)
            case NID_safeContentsBag:
                guard depth < 4, let inner = unsafe PKCS12_SAFEBAG_get0_safes(bag) else {
                    throw KeychainError(.decode, "a PKCS #12 file is nested too deeply")
                }
                try unsafe read(inner, depth: depth + 1, into: &contents)
            default: break
            }
        }
    }

    private mutating func readEncryptedKey(
        _ bag: OpaquePointer, into contents: inout PKCS12
    ) throws(KeychainError) {
        var algorithm: UnsafePointer<X509_ALGOR>?
        // Safe: the bag belongs to the caller; the decrypted key is freed here.
        unsafe X509_SIG_get0(PKCS12_SAFEBAG_get0_pkcs8(bag), &algorithm, nil)
        try unsafe check(algorithm)
        let isRC2 = unsafe lanyard_is_rc2(algorithm) == 1
        if isRC2 {
            contents.weaknesses.insert(.rc2)
        }
        ERR_clear_error()
        let key = unsafe password.withCharacters { text, count in
            let (text, count) = unsafe (hasPassword ? text : nil, hasPassword ? count : 0)
            return unsafe isRC2
                ? lanyard_decrypt_rc2_key(bag, text, count) : PKCS12_decrypt_skey(bag, text, count)
        }
        guard let key = unsafe key else {
            throw undecryptable()
        }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(key) }
        try unsafe append(key, PKCS12Reader.name(of: bag), to: &contents)
    }

    private func append(
        _ key: OpaquePointer?, _ name: String?, to contents: inout PKCS12
    ) throws(KeychainError) {
        // Safe: the key belongs to the caller.
        let encoded = try unsafe Libcrypto.secretEncoding {
            unsafe i2d_PKCS8_PRIV_KEY_INFO(key, $0)
        }
        contents.keys.append(
            PKCS12.Key(privateKey: try PrivateKey(pkcs8: encoded), name: name))
    }

    private func readCertificate(
        _ bag: OpaquePointer, into contents: inout PKCS12
    ) throws(KeychainError) {
        // Safe: the bag belongs to the caller; the certificate is freed here.
        guard let found = unsafe PKCS12_SAFEBAG_get1_cert(bag) else {
            throw Libcrypto.error(.decode, "a PKCS #12 file has a damaged certificate")
        }
        let certificate = unsafe X509Certificate(owning: found)
        let der = try unsafe Libcrypto.encoding { unsafe i2d_X509(certificate.pointer, $0) }
        contents.certificates.append(
            PKCS12.NamedCertificate(
                certificate: try Certificate(der: der.span),
                name: unsafe PKCS12Reader.name(of: bag)))
    }

    private static func name(of bag: OpaquePointer) -> String? {
        // Safe: the name belongs to the caller's bag. PKCS12_get_friendlyname loses names that end in letters of
        // three bytes.
        guard let value = unsafe PKCS12_SAFEBAG_get0_attr(bag, NID_friendlyName),
            unsafe value.pointee.type == V_ASN1_BMPSTRING
        else {
            return nil
        }
        let bytes = unsafe Libcrypto.bytes(value.pointee.value.bmpstring)
        let units = stride(from: 0, to: bytes.count & ~1, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        return String(decoding: units, as: UTF16.self).withoutControlCharacters
    }

    /// Checks how much work an algorithm asks for, with what was done before.
    private mutating func check(
        _ algorithm: UnsafePointer<X509_ALGOR>?
    ) throws(KeychainError) {
        // Safe: the algorithm belongs to the caller's file.
        guard let algorithm = unsafe algorithm else {
            throw KeychainError(.decode, "a damaged PKCS #12 file")
        }
        remainingWork -= try unsafe PKCS12Reader.work(algorithm)
        guard remainingWork >= 0 else {
            throw PKCS12Reader.tooMuchWork
        }
    }

    /// Why a part can't be decrypted although the password is right, as far as a MAC says so.
    private func undecryptable() -> KeychainError {
        // ERR_GET_LIB: only an algorithm that is unknown or switched off is EVP's.
        let isUnsupported = (ERR_peek_error() >> 23) & 0xFF == UInt(ERR_LIB_EVP)
        guard isUnsupported else {
            guard hasMAC else {
                return Libcrypto.error(.pkcs12VerifyFailure, "wrong passphrase, or damage")
            }
            return Libcrypto.error(
                .decode, "a part of the PKCS #12 file is damaged or has another password")
        }
        return Libcrypto.error(
            .unsupportedKeyFormat, "the file is encrypted with an algorithm that is no longer safe",
            hint: "openssl pkcs12 -legacy -nodes -in FILE | lanyard certificate import -")
    }
}
