internal import CLibcrypto
internal import LanyardSecrets

/// The cipher Blowfish with the key schedule of bcrypt, which libcrypto doesn't have.
///
/// Its state is made of a password, and overwritten at the end.
@safe  // Safe: the memory is its own, and freed in `deinit` alone.
struct Blowfish: ~Copyable {
    /// 18 subkeys, then four boxes of 256 words.
    private let words: UnsafeMutableBufferPointer<UInt32>
    private static let subkeyCount = 18
    private static let wordCount = 18 + 4 * 256

    /// The words before any key.
    private static let initialWords: [UInt32] = {
        let digits = PiDigits.text.bytes
        return (0..<wordCount).map { word in
            (0..<8).reduce(0) { value, index in
                value << 4 | UInt32(Hexadecimal.value(of: digits[word * 8 + index]) ?? 0)
            }
        }
    }()

    /// Creates a state of a salt and a password, each of 64 bytes. The corresponding function of
    /// OpenBSD's is `Blowfish_expandstate`.
    init(salt: Span<UInt8>, password: Span<UInt8>) {
        // Safe: written in whole before any use; freed in `deinit`.
        unsafe words = .allocate(capacity: Self.wordCount)
        _ = unsafe words.initialize(from: Self.initialWords)
        addKey(password)
        replaceWords(salt)
    }

    deinit {
        // Safe: the last use of the memory, which is this value's own.
        unsafe OPENSSL_cleanse(words.baseAddress, Self.wordCount * 4)
        unsafe words.deallocate()
    }

    /// Mixes in a salt or a password of 64 bytes. The corresponding function of OpenBSD's is
    /// `Blowfish_expand0state`.
    func mix(_ key: Span<UInt8>) {
        addKey(key)
        replaceWords(nil)
    }

    /// Encrypts a block of two words.
    func encrypt(_ left: inout UInt32, _ right: inout UInt32) {
        // Safe: a subkey's index is below 18; a byte's value after a box's beginning is in the box.
        unsafe left ^= words[0]
        var index = 1
        while index < 17 {
            unsafe right ^= scrambled(left) ^ words[index]
            unsafe left ^= scrambled(right) ^ words[index + 1]
            index += 2
        }
        let last = unsafe right ^ words[17]
        right = left
        left = last
    }

    @inline(__always)
    private func scrambled(_ word: UInt32) -> UInt32 {
        // Safe: each index is below that of the last word.
        let first = unsafe words[Self.subkeyCount + Int(word >> 24)]
        let second = unsafe words[Self.subkeyCount + 256 + Int(word >> 16 & 0xFF)]
        let third = unsafe words[Self.subkeyCount + 512 + Int(word >> 8 & 0xFF)]
        let fourth = unsafe words[Self.subkeyCount + 768 + Int(word & 0xFF)]
        return (first &+ second ^ third) &+ fourth
    }

    private func addKey(_ key: Span<UInt8>) {
        for index in 0..<Self.subkeyCount {
            // Safe: below 18. swiftc 6.3.1 ends over `^=` here under the thread sanitizer.
            unsafe words[index] = words[index] ^ key.word(at: index)
        }
    }

    /// Replaces each word by what encrypting the one before it yields.
    private func replaceWords(_ salt: Span<UInt8>?) {
        var left: UInt32 = 0
        var right: UInt32 = 0
        var position = 0
        for index in stride(from: 0, to: Self.wordCount, by: 2) {
            if let salt {
                left ^= salt.word(at: position)
                right ^= salt.word(at: position + 1)
                position += 2
            }
            encrypt(&left, &right)
            // Safe: the number of words is even.
            unsafe words[index] = left
            unsafe words[index + 1] = right
        }
    }
}

extension Span<UInt8> {
    /// The four bytes of a word, most significant first; after the last word the first follows.
    @inline(__always)
    fileprivate func word(at index: Int) -> UInt32 {
        let start = index * 4 % count
        return (0..<4).reduce(0) { $0 << 8 | UInt32(self[start + $1]) }
    }
}
