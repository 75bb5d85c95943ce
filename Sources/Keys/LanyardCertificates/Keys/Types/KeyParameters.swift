internal import CLibcrypto
internal import LanyardSecrets

/// The parts from which libcrypto makes a key. The corresponding C type is `OSSL_PARAM_BLD`.
@safe  // Safe: the builder is its own, and freed in `deinit` alone.
struct KeyParameters: ~Copyable {
    private let builder: OpaquePointer

    /// What a call of `EVP_PKEY_fromdata` makes.
    enum Selection: Int32 {
        /// EVP_PKEY_PUBLIC_KEY
        case publicKey = 0x86
        /// EVP_PKEY_KEYPAIR
        case keyPair = 0x87
    }

    init() throws(KeychainError) {
        Libcrypto.start()
        // Safe: freed in `deinit`.
        guard let builder = unsafe OSSL_PARAM_BLD_new() else {
            throw .outOfMemory
        }
        unsafe self.builder = builder
    }

    deinit {
        // Safe: the last use.
        unsafe OSSL_PARAM_BLD_free(builder)
    }

    /// Adds a number, which has to live until the key is made.
    func add(_ name: StaticString, _ number: borrowing BigNumber) throws(KeychainError) {
        // Safe: the name is a C string that lives as long as the program.
        try Libcrypto.check(
            unsafe OSSL_PARAM_BLD_push_BN(builder, name.cString, number.pointer), .allocate)
    }

    func add(_ name: StaticString, _ text: StaticString) throws(KeychainError) {
        // Safe: both are C strings that live as long as the program.
        try Libcrypto.check(
            unsafe OSSL_PARAM_BLD_push_utf8_string(builder, name.cString, text.cString, 0),
            .allocate)
    }

    /// Returns a new key of bytes and the other parts.
    func makeKey(
        _ type: StaticString, _ selection: Selection, _ name: StaticString, _ bytes: Span<UInt8>
    ) throws(KeychainError) -> LibcryptoKey {
        let builder = unsafe builder  // Safe: used while this lives.
        // Safe: the bytes live until the key is made, which copies them; the name is a C string.
        return try unsafe bytes.withUnsafeBufferPointer { buffer throws(KeychainError) in
            try Libcrypto.check(
                unsafe OSSL_PARAM_BLD_push_octet_string(
                    builder, name.cString, buffer.baseAddress, buffer.count), .allocate)
            return try makeKey(type, selection)
        }
    }

    /// Returns a new key of the parts.
    func makeKey(
        _ type: StaticString, _ selection: Selection
    ) throws(KeychainError) -> LibcryptoKey {
        // Safe: each is freed at the end; the name is a C string that lives as long as the program.
        guard let parameters = unsafe OSSL_PARAM_BLD_to_param(builder) else {
            throw Libcrypto.error(.allocate)
        }
        defer { unsafe OSSL_PARAM_free(parameters) }
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, type.cString, nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_fromdata_init(context) == 1,
            unsafe EVP_PKEY_fromdata(context, &key, selection.rawValue, parameters) == 1,
            let key = unsafe key.map(LibcryptoKey.init(owning:))
        else {
            throw Libcrypto.error(.invalidKeyFormat)
        }
        return key
    }
}

extension StaticString {
    /// The literal as a C string.
    var cString: UnsafePointer<CChar> {
        // Safe: a literal lives as long as the program, and ends with a zero.
        unsafe UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
