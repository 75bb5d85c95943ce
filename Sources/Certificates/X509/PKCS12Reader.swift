internal import CLibcrypto
internal import KeychainServices

/// Reads a PKCS #12 file, part by part, and checks how much work each part asks for before it is done: RFC 7292.
@safe  // Safe: the file is its own, and freed in `deinit` alone.
struct PKCS12Reader: ~Copyable {
    private let file: OpaquePointer
    private let password: Secret
    /// Whether the file was made with a password, perhaps an empty one.
    private let hasPassword: Bool
    /// How much work the file has asked for, in iterations.
    private var work: Int

    /// Parses a file and checks its password.
    init(
        _ contents: borrowing Secret, password: borrowing Secret
    ) throws(KeychainError) {
        Libcrypto.start()
        guard contents.count <= PKCS12.sizeLimit else {
            throw KeychainError(.dataTooLarge, "a PKCS #12 file has at most 16 MiB")
        }
        // Safe: libcrypto reads within the bytes, and makes a file of its own, which this value owns.
        let parsed = unsafe contents.withBytes { unsafe PKCS12Reader.parse($0) }
        guard let file = unsafe parsed else {
            throw Libcrypto.error(.unknownFormat, "not a PKCS #12 file")
        }
        let checked: (work: Int, hasPassword: Bool)
        do throws(KeychainError) {
            let work = try unsafe PKCS12Reader.iterations(of: file)
            checked = (work, try unsafe PKCS12Reader.hasPassword(file, password))
        } catch {
            unsafe PKCS12_free(file)
            throw error
        }
        unsafe self.file = file
        self.password = password.copy()
        (work, hasPassword) = checked
    }

    deinit {
        // Safe: the last use.
        unsafe PKCS12_free(file)
    }

    /// Returns a file of libcrypto's, which the caller frees; nil for anything but one file.
    private static func parse(_ bytes: Span<UInt8>) -> OpaquePointer? {
        // Safe: libcrypto reads within the bytes, and makes a file of its own.
        unsafe bytes.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            guard let file = unsafe d2i_PKCS12(nil, &position, bytes.count) else {
                return nil
            }
            guard unsafe position == bytes.baseAddress.map({ unsafe $0 + bytes.count }) else {
                unsafe PKCS12_free(file)
                return nil
            }
            return unsafe file
        }
    }

    /// Whether bytes are a file of this form.
    static func isPKCS12(_ bytes: Span<UInt8>) -> Bool {
        Libcrypto.start()
        // Safe: freed at once.
        let file = unsafe parse(bytes)
        unsafe PKCS12_free(file)
        ERR_clear_error()
        return unsafe file != nil
    }

    /// Returns how often the password is hashed for the check sum of a file.
    private static func iterations(of file: OpaquePointer) throws(KeychainError) -> Int {
        var iterations: UnsafePointer<ASN1_INTEGER>?
        // Safe: the number belongs to the caller's file.
        guard unsafe PKCS12_mac_present(file) == 1 else {
            throw KeychainError(.decode, "a PKCS #12 file without a check sum of its password")
        }
        unsafe PKCS12_get0_mac(nil, nil, nil, &iterations, file)
        // Without a number it is 1.
        let count = unsafe iterations.map { unsafe ASN1_INTEGER_get($0) } ?? 1
        guard (1...PasswordWork.iterationLimit).contains(count) else {
            throw PasswordWork.tooMuch
        }
        return count
    }

    /// Checks the password.
    ///
    /// - Returns: Whether it is one; a file without a password differs from one with an empty one.
    private static func hasPassword(
        _ file: OpaquePointer, _ password: borrowing Secret
    ) throws(KeychainError) -> Bool {
        // Safe: the file belongs to the caller, and the password is lent for the call.
        if unsafe password.withCharacters({ unsafe PKCS12_verify_mac(file, $0, $1) }) == 1 {
            return true
        }
        ERR_clear_error()
        if password.count == 0, unsafe PKCS12_verify_mac(file, nil, 0) == 1 {
            return false
        }
        throw Libcrypto.error(.pkcs12VerifyFailure, "wrong password")
    }

    /// Reads all parts.
    mutating func read(into contents: inout PKCS12) throws(KeychainError) {
        // Safe: what libcrypto returns is freed here.
        guard let parts = unsafe PKCS12_unpack_authsafes(file) else {
            throw Libcrypto.error(.decode, "a damaged PKCS #12 file")
        }
        defer { unsafe lanyard_pkcs7_stack_free(parts) }
        var index: Int32 = 0
        while let part = unsafe lanyard_pkcs7_at(parts, index) {
            index += 1
            guard let bags = try unsafe unpack(part) else {
                continue
            }
            defer { unsafe lanyard_bag_stack_free(bags) }
            try unsafe read(bags, depth: 0, into: &contents)
        }
    }

    /// Returns the bags of a part, nil for one that is encrypted with a public key.
    private mutating func unpack(
        _ part: UnsafeMutablePointer<PKCS7>
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
        let bags = unsafe password.withCharacters { text, count in
            unsafe PKCS12_unpack_p7encdata(part, hasPassword ? text : nil, hasPassword ? count : 0)
        }
        guard let bags = unsafe bags else {
            throw PKCS12Reader.undecryptable()
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
        let key = unsafe password.withCharacters { text, count in
            unsafe PKCS12_decrypt_skey(bag, hasPassword ? text : nil, hasPassword ? count : 0)
        }
        guard let key = unsafe key else {
            throw PKCS12Reader.undecryptable()
        }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(key) }
        try unsafe append(key, PKCS12Reader.name(of: bag), to: &contents)
    }

    private func append(
        _ key: OpaquePointer?, _ name: String?, to contents: inout PKCS12
    ) throws(KeychainError) {
        // Safe: the key belongs to the caller, and there is room for its encoding.
        let count = unsafe Int(i2d_PKCS8_PRIV_KEY_INFO(key, nil))
        guard count > 0 else {
            throw Libcrypto.error(.decode)
        }
        let encoded = try unsafe Secret(capacity: count) { memory throws(KeychainError) in
            var position = unsafe memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard unsafe i2d_PKCS8_PRIV_KEY_INFO(key, &position) == count else {
                throw Libcrypto.error(.decode)
            }
            return count
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
        // Safe: the text ends with a NUL, and is freed here.
        guard let text = unsafe PKCS12_get_friendlyname(bag) else {
            ERR_clear_error()
            return nil
        }
        defer { unsafe lanyard_openssl_free(text) }
        return unsafe String(validatingCString: text)?.withoutControlCharacters
    }

    /// Checks how much work an algorithm asks for, together with those before it.
    private mutating func check(_ algorithm: UnsafePointer<X509_ALGOR>?) throws(KeychainError) {
        // Safe: the algorithm belongs to the caller's file.
        guard let algorithm = unsafe algorithm else {
            throw KeychainError(.decode, "a damaged PKCS #12 file")
        }
        let encoded = try unsafe Libcrypto.encoding { unsafe i2d_X509_ALGOR(algorithm, $0) }
        work += try PasswordWork.check(DERReader.sequence(encoded.span), in: encoded.span)
        guard work <= PasswordWork.iterationLimit else {
            throw PasswordWork.tooMuch
        }
    }

    /// Why a part can't be decrypted although the password is right.
    private static func undecryptable() -> KeychainError {
        Libcrypto.error(
            .unsupportedKeyFormat, "the file is encrypted with an algorithm that is no longer safe",
            hint:
                "convert it: openssl pkcs12 -legacy -in OLD -nodes | openssl pkcs12 -export -out NEW"
        )
    }
}
