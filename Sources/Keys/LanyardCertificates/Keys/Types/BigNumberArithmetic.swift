internal import CLibcrypto
internal import LanyardSecrets

/// Calculates with big numbers. The corresponding C type is `BN_CTX`.
@safe  // Safe: the context is its own, and freed in `deinit` alone.
struct BigNumberArithmetic: ~Copyable {
    let pointer: OpaquePointer

    init() throws(KeychainError) {
        Libcrypto.start()
        // Safe: freed in `deinit`.
        guard let pointer = unsafe BN_CTX_new() else {
            throw .outOfMemory
        }
        unsafe self.pointer = pointer
    }

    deinit {
        // Safe: the last use.
        unsafe BN_CTX_free(pointer)
    }

    /// Returns the product.
    func multiply(
        _ left: borrowing BigNumber, _ right: borrowing BigNumber
    ) throws(KeychainError) -> BigNumber {
        let result = try BigNumber()
        // Safe: all of them live during the call.
        try Libcrypto.check(
            unsafe BN_mul(result.pointer, left.pointer, right.pointer, pointer), .allocate)
        return result
    }

    /// Returns the product's remainder.
    func multiply(
        _ left: borrowing BigNumber, _ right: borrowing BigNumber, modulo: borrowing BigNumber
    ) throws(KeychainError) -> BigNumber {
        let result = try BigNumber()
        // Safe: all of them live during the call.
        try Libcrypto.check(
            unsafe BN_mod_mul(
                result.pointer, left.pointer, right.pointer, modulo.pointer, pointer),
            .invalidKeyFormat)
        return result
    }

    /// Returns the remainder.
    func remainder(
        _ number: borrowing BigNumber, modulo: borrowing BigNumber
    ) throws(KeychainError) -> BigNumber {
        let result = try BigNumber()
        // Safe: all of them live during the call.
        try Libcrypto.check(
            unsafe BN_div(nil, result.pointer, number.pointer, modulo.pointer, pointer),
            .invalidKeyFormat)
        return result
    }

    /// Returns the number less one.
    func decrement(_ number: borrowing BigNumber) throws(KeychainError) -> BigNumber {
        let result = try BigNumber()
        // Safe: all of them live during the calls.
        guard unsafe BN_copy(result.pointer, number.pointer) != nil,
            unsafe BN_sub_word(result.pointer, 1) == 1
        else {
            throw Libcrypto.error(.allocate)
        }
        return result
    }
}
