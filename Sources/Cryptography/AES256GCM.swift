internal import CLibcrypto
internal import Keychain

/// One run of AES-256-GCM, NIST SP 800-38D: the associated data, then the text, then the tag.
///
/// The cipher is asked of libcrypto's default provider itself, provider-cipher(7): EVP would set up
/// every cipher that there is before it finds this one, which is two thirds of a helper's life.
@safe  // Safe: the context is its own, and freed in `deinit` alone.
struct AES256GCM: ~Copyable {
    enum Direction {
        case encryption, decryption
    }

    private let functions: CipherFunctions
    private let context: UnsafeMutableRawPointer

    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - nonce: 12 bytes, never twice with the same key.
    init(
        _ key: Span<UInt8>, nonce: [UInt8], _ direction: Direction
    ) throws(KeychainError) {
        // Safe: nothing changes the functions, and the context is freed here, or in `deinit`.
        guard let functions = unsafe CipherFunctions.aes256GCM,
            let context = unsafe functions.newContext(functions.provider)
        else {
            throw KeychainError(.allocate, "libcrypto can't start AES-256-GCM")
        }
        let start =
            unsafe direction == .encryption ? functions.startEncryption : functions.startDecryption
        // Safe: the cipher is told the key's and the nonce's own counts, and copies both.
        let result = unsafe key.withUnsafeBufferPointer {
            unsafe start(context, $0.baseAddress, $0.count, nonce, nonce.count, nil)
        }
        guard result == 1 else {
            unsafe functions.freeContext(context)
            throw KeychainError(.allocate, "libcrypto can't start AES-256-GCM")
        }
        unsafe self.functions = functions
        unsafe self.context = context
    }

    deinit {
        // Safe: nobody else has the context, and nothing comes after. The key in it is wiped.
        unsafe functions.freeContext(context)
    }

    /// Encrypts or decrypts; without an output the bytes are associated data.
    ///
    /// - Parameter output: Room for as many bytes.
    borrowing func process(_ bytes: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>?) -> Bool
    {
        guard !bytes.isEmpty else {
            return true
        }
        var written = 0
        // Safe: the span's own bytes and count; GCM writes no more than it reads, for which the
        // caller has room.
        return unsafe bytes.withUnsafeBufferPointer {
            unsafe functions.update(
                context, output, &written, $0.count, $0.baseAddress, $0.count) == 1
        }
    }

    /// - Parameter tag: Room for 16 bytes.
    borrowing func finishEncryption(tag: UnsafeMutablePointer<UInt8>) -> Bool {
        guard finish() else {
            return false
        }
        // Safe: the tag has its 16 bytes.
        return unsafe withTagParameters(tag) { unsafe functions.getParameters(context, $0) == 1 }
    }

    /// Whether the tag is that of all that was decrypted: if not, none of it may be used.
    borrowing func finishDecryption(tag: Span<UInt8>) -> Bool {
        // Safe: a tag of 16 bytes, which the cipher only copies; of another length there is none.
        let isSet = unsafe tag.withUnsafeBufferPointer { bytes in
            unsafe bytes.count == 16
                && withTagParameters(UnsafeMutablePointer(mutating: bytes.baseAddress!)) {
                    unsafe functions.setParameters(context, $0) == 1
                }
        }
        return isSet && finish()
    }

    /// Hands the parameters that stand for a tag of 16 bytes to a closure.
    private borrowing func withTagParameters(
        _ tag: UnsafeMutablePointer<UInt8>, _ body: (UnsafeMutablePointer<OSSL_PARAM>) -> Bool
    ) -> Bool {
        // Safe: parameters refer to their name, which lives as long as they do; the caller's tag has
        // its 16 bytes.
        unsafe OSSL_CIPHER_PARAM_AEAD_TAG.withCString { name in
            unsafe withUnsafeTemporaryAllocation(of: OSSL_PARAM.self, capacity: 2) { parameters in
                unsafe parameters.initializeElement(
                    at: 0, to: OSSL_PARAM_construct_octet_string(name, tag, 16))
                unsafe parameters.initializeElement(at: 1, to: OSSL_PARAM_construct_end())
                return unsafe body(parameters.baseAddress!)
            }
        }
    }

    private borrowing func finish() -> Bool {
        var written = 0
        // Safe: GCM writes nothing at the end, but wants a place for it.
        var nothing: UInt64 = 0
        return unsafe withUnsafeMutableBytes(of: &nothing) {
            unsafe functions.finish(
                context, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), &written, $0.count)
                == 1
        }
    }
}

extension AES256GCM {
    /// Whether this cipher's name is the first of an algorithm's names, which colons stand between.
    static func isFirst(of names: UnsafePointer<CChar>) -> Bool {
        let name = "AES-256-GCM"
        // Safe: the comparison ends where the names do; where it does not end before, the byte behind
        // the name is theirs too, if only the last.
        guard unsafe OPENSSL_strncasecmp(names, name, name.utf8.count) == 0 else {
            return false
        }
        return unsafe [0, CChar(UInt8(ascii: ":"))].contains(names[name.utf8.count])
    }
}

/// What a provider does a cipher's work with. The corresponding types are those of OSSL_FUNC_cipher_*_fn.
// Safe: `AES256GCM` alone calls them, each with what it expects.
@unsafe
private struct CipherFunctions {
    typealias Start =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int, UnsafePointer<UInt8>?, Int,
            UnsafePointer<OSSL_PARAM>?
        ) -> Int32

    let provider: UnsafeMutableRawPointer?
    let newContext: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    let freeContext: @convention(c) (UnsafeMutableRawPointer?) -> Void
    let startEncryption: Start
    let startDecryption: Start
    let update:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?, Int,
            UnsafePointer<UInt8>?, Int
        ) -> Int32
    let finish:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?, Int
        ) -> Int32
    let getParameters:
        @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<OSSL_PARAM>?) -> Int32
    let setParameters:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<OSSL_PARAM>?) -> Int32

    /// Those of AES-256-GCM, nil if libcrypto has no such cipher.
    // Safe: they are never changed, and libcrypto lets threads share them; the provider stays loaded.
    nonisolated(unsafe) static let aes256GCM: CipherFunctions? = {
        _ = lanyard_crypto_init()
        var mayNotBeCached: Int32 = 0
        guard let provider = unsafe OSSL_PROVIDER_load(nil, "default"),
            var algorithm = unsafe OSSL_PROVIDER_query_operation(
                provider, OSSL_OP_CIPHER, &mayNotBeCached)
        else {
            return nil
        }
        // Safe: a provider's list of algorithms ends with one that has no names.
        while let names = unsafe algorithm.pointee.algorithm_names {
            if unsafe AES256GCM.isFirst(of: names) {
                return unsafe CipherFunctions(algorithm.pointee.implementation, provider)
            }
            unsafe algorithm += 1
        }
        return nil
    }()

    private init?(_ dispatch: UnsafePointer<OSSL_DISPATCH>, _ provider: OpaquePointer) {
        // Safe: a dispatch table ends with the number 0, and each function in it has the type that its
        // number stands for: core_dispatch.h says so.
        func function(_ id: Int32) -> UnsafePointer<OSSL_DISPATCH>? {
            var entry = unsafe dispatch
            while unsafe entry.pointee.function_id != 0 {
                if unsafe entry.pointee.function_id == id {
                    return unsafe entry
                }
                unsafe entry += 1
            }
            return nil
        }
        guard let newContext = unsafe function(OSSL_FUNC_CIPHER_NEWCTX),
            let freeContext = unsafe function(OSSL_FUNC_CIPHER_FREECTX),
            let startEncryption = unsafe function(OSSL_FUNC_CIPHER_ENCRYPT_INIT),
            let startDecryption = unsafe function(OSSL_FUNC_CIPHER_DECRYPT_INIT),
            let update = unsafe function(OSSL_FUNC_CIPHER_UPDATE),
            let finish = unsafe function(OSSL_FUNC_CIPHER_FINAL),
            let getParameters = unsafe function(OSSL_FUNC_CIPHER_GET_CTX_PARAMS),
            let setParameters = unsafe function(OSSL_FUNC_CIPHER_SET_CTX_PARAMS)
        else {
            return nil
        }
        // Safe: as above; the provider is loaded.
        unsafe self.provider = OSSL_PROVIDER_get0_provider_ctx(provider)
        unsafe self.newContext = OSSL_FUNC_cipher_newctx(newContext)
        unsafe self.freeContext = OSSL_FUNC_cipher_freectx(freeContext)
        unsafe self.startEncryption = OSSL_FUNC_cipher_encrypt_init(startEncryption)
        unsafe self.startDecryption = OSSL_FUNC_cipher_decrypt_init(startDecryption)
        unsafe self.update = OSSL_FUNC_cipher_update(update)
        unsafe self.finish = OSSL_FUNC_cipher_final(finish)
        unsafe self.getParameters = OSSL_FUNC_cipher_get_ctx_params(getParameters)
        unsafe self.setParameters = OSSL_FUNC_cipher_set_ctx_params(setParameters)
    }
}
