internal import CLibcrypto
internal import KeychainServices

/// A certificate of libcrypto's. The corresponding C type is `X509`.
@safe  // Safe: the certificate is its own, and freed in `deinit` alone.
struct X509Certificate: ~Copyable {
    let pointer: OpaquePointer

    /// Takes a certificate over.
    init(owning pointer: OpaquePointer) {
        // Safe: the caller doesn't free it.
        unsafe self.pointer = pointer
    }

    /// Parses a certificate.
    ///
    /// - Throws: ``Status/decode`` for anything but one certificate in DER.
    ///
    /// The corresponding C function is `d2i_X509`.
    init(_ der: Span<UInt8>) throws(KeychainError) {
        Libcrypto.start()
        try X509Certificate.checkEncoding(der)
        // Safe: libcrypto reads within the bytes, and makes a certificate of its own.
        let pointer = unsafe der.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return unsafe d2i_X509(nil, &position, bytes.count)
        }
        guard let pointer = unsafe pointer else {
            throw Libcrypto.error(.decode, "not a certificate")
        }
        guard unsafe X509Certificate.isWritten(pointer, as: der) else {
            unsafe X509_free(pointer)
            throw KeychainError(.decode, "not a certificate")
        }
        unsafe self.init(owning: pointer)
    }

    /// Returns whether libcrypto writes a certificate as it was read. The algorithm and the signature are in no
    /// signature: in another form they would make another fingerprint.
    private static func isWritten(_ pointer: OpaquePointer, as der: Span<UInt8>) -> Bool {
        // Safe: the caller's certificate.
        let written = try? unsafe Libcrypto.encoding { unsafe i2d_X509(pointer, $0) }
        guard let written, written.count == der.count else {
            return false
        }
        return written.indices.allSatisfy { written[$0] == der[$0] }
    }

    /// Refuses what libcrypto would accept: other bytes behind the certificate, and lengths in other forms, with which
    /// the same certificate has another fingerprint.
    private static func checkEncoding(_ der: Span<UInt8>) throws(KeychainError) {
        do throws(KeychainError) {
            var reader = try DERReader.sequence(der)
            for tag: DERTag in [.sequence, .sequence, .bitString] {
                _ = try reader.read(tag, in: der)
            }
            try reader.finish()
        } catch {
            throw KeychainError(.decode, "not a certificate")
        }
    }

    /// Parses a certificate's bytes again.
    init(_ certificate: Certificate) throws(KeychainError) {
        let der = certificate.der
        try self.init(der.span)
    }

    deinit {
        // Safe: the last use.
        unsafe X509_free(pointer)
    }
}

extension Libcrypto {
    /// Returns the encoding of one of libcrypto's values.
    ///
    /// - Parameter encode: Writes the encoding to memory of its own and returns its size, as functions named `i2d_…`
    ///   do.
    /// - Throws: ``Status/decode`` for a value that has none.
    static func encoding(
        _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32
    ) throws(KeychainError) -> [UInt8] {
        var memory: UnsafeMutablePointer<UInt8>?
        // Safe: libcrypto allocates as many bytes as it returns.
        let count = unsafe encode(&memory)
        guard count > 0, let memory = unsafe memory else {
            throw error(.decode)
        }
        defer { unsafe lanyard_openssl_free(memory) }
        return unsafe Array(UnsafeBufferPointer(start: memory, count: Int(count)))
    }

    /// Returns the encoding of a private key. It is written to memory that is wiped.
    ///
    /// - Parameter encode: As for ``encoding(_:)``; without memory it returns the size only.
    /// - Throws: ``Status/decode`` for a value that has none.
    static func secretEncoding(
        _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    ) throws(KeychainError) -> Secret {
        // Safe: the memory has room for as many bytes as the first call returns.
        let count = Int(encode(nil))
        return try unsafe Secret(capacity: max(count, 0)) { memory throws(KeychainError) in
            var position = unsafe memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard count > 0, unsafe Int(encode(&position)) == count else {
                throw error(.decode)
            }
            return count
        }
    }

    /// The bytes of a string, empty without one.
    static func bytes(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
        // Safe: the string has as many bytes as it says.
        guard let string = unsafe string, let start = unsafe ASN1_STRING_get0_data(string) else {
            return []
        }
        return unsafe Array(
            UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(string))))
    }

    /// The text of a string of any type, nil if it is no text.
    static func text(_ string: UnsafePointer<ASN1_STRING>?) -> String? {
        var memory: UnsafeMutablePointer<UInt8>?
        // Safe: libcrypto allocates as many bytes as it returns.
        guard let string = unsafe string else {
            return nil
        }
        let count = unsafe lanyard_string_to_utf8(&memory, string)
        guard count >= 0, let memory = unsafe memory else {
            ERR_clear_error()
            return nil
        }
        defer { unsafe lanyard_openssl_free(memory) }
        let bytes = unsafe UnsafeBufferPointer(start: memory, count: Int(count))
        return unsafe String(validating: bytes, as: UTF8.self)
    }
}

extension String {
    /// The text with a space for each control character, also for those that change the direction of writing.
    var withoutControlCharacters: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? " " : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069:
            true
        default: false
        }
    }
}
