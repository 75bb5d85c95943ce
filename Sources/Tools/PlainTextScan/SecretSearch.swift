internal import Glibc
internal import LinuxSystem
internal import LanyardSecrets

/// Finds any number of secrets in one pass over bytes.
///
/// Every eight bytes are hashed with a random key and looked up in a filter, then in a table. Texts,
/// filter and table are in memory that is wiped; the texts are kept off the disk.
package final class SecretSearch: Sendable {
    /// A place where a secret was found.
    package struct Match: Hashable, Sendable {
        /// Where it starts.
        package let offset: Int
        /// The form that was found.
        package let form: SecretForm
        /// The items with this secret; none for the mark of a private key.
        package let items: [Int]

        /// Whether it is the mark of a private key, which ``PrivateKeyText`` has to check.
        var isMark: Bool { items.isEmpty }
    }

    /// How many bytes before and after the windows the caller must provide.
    static let context = SearchedSecrets.longest

    private let texts: [SearchedText]
    private let bytes: Secret
    /// Odd and random.
    private let key: UInt64
    /// One bit for each hash.
    private let filter: Secret
    private let filterShift: UInt64
    /// Numbers of texts from 1 in an open hash table, 0 for none.
    private let table: Secret
    private let tableMask: Int
    private let tableShift: UInt64

    /// Whether there is nothing to search for.
    package var isEmpty: Bool { texts.isEmpty }

    init(_ all: [SearchedText], _ bytes: consuming Secret) throws(KeychainError) {
        let key = try RandomBytes.make(8).reduce(1 as UInt64) { $0 << 8 | UInt64($1) } | 1
        let tableBits = max(4, (all.count * 2).bitCount)
        let filterBits = min(max(16, all.count.bitCount + 6), 26)
        let tableMask = 1 << tableBits - 1
        let tableShift = UInt64(64 - tableBits)
        let filterShift = UInt64(64 - filterBits)
        var texts: [SearchedText] = []
        table = SecretSearch.table(
            all, bytes, bits: tableBits, key: key, shift: tableShift, mask: tableMask, &texts)
        filter = bytes.withBytes { span in
            // Safe: the pointers are used in the closures that lend them; a hash has `filterBits` bits.
            unsafe span.withAddress { source, _ in
                unsafe Secret(capacity: 1 << (filterBits - 3)) { memory in
                    for text in texts {
                        let hash = unsafe (text.readWindow(in: source) &* key) >> filterShift
                        unsafe memory[Int(hash >> 3)] |= 1 << UInt8(hash & 7)
                    }
                    return 1 << (filterBits - 3)
                }
            }
        }
        self.texts = texts
        self.bytes = bytes.locked()
        self.key = key
        self.filterShift = filterShift
        self.tableMask = tableMask
        self.tableShift = tableShift
    }

    /// Returns the hash table of 32-bit numbers.
    ///
    /// - Parameter texts: The texts that these number from 1 on, each once.
    private static func table(
        _ all: [SearchedText], _ bytes: borrowing Secret, bits: Int, key: UInt64, shift: UInt64,
        mask: Int, _ texts: inout [SearchedText]
    ) -> Secret {
        bytes.withBytes { span in
            // Safe: the pointers are used in the closures that lend them; slots are below the mask, and the texts
            // within `bytes`.
            unsafe span.withAddress { source, _ in
                unsafe Secret(capacity: 4 << bits) { memory in
                    let slots = unsafe memory.bindMemory(to: UInt32.self)
                    for text in all {
                        let hash = unsafe text.readWindow(in: source) &* key
                        var slot = Int(hash &>> shift)
                        var isKnown = false
                        while case let number = unsafe Int(slots[slot]), number > 0, !isKnown {
                            let other = texts[number - 1]
                            let difference = unsafe memcmp(
                                source + other.start, source + text.start,
                                min(other.count, text.count))
                            isKnown = other.count == text.count && difference == 0
                            if isKnown {
                                texts[number - 1].items += text.items
                            }
                            slot = (slot + 1) & mask
                        }
                        if !isKnown {
                            texts.append(text)
                            unsafe slots[slot] = UInt32(texts.count)
                        }
                    }
                    return 4 << bits
                }
            }
        }
    }

    /// Returns the matches in bytes.
    package func matches(in bytes: Span<UInt8>, limit: Int = .max) -> [Match] {
        var matches: [Match] = []
        // Safe: the bytes are lent for the call.
        unsafe bytes.withUnsafeBytes { buffer in
            unsafe find(in: buffer, windowsIn: 0..<max(0, buffer.count - 7)) { offset, text in
                if matches.count < limit {
                    matches.append(match(offset, text))
                }
            }
        }
        return matches.filter {
            !$0.isMark || PrivateKeyText.isUnencrypted(in: bytes, markAt: $0.offset)
        }
    }

    func match(_ offset: Int, _ text: Int) -> Match {
        Match(offset: offset, form: texts[text].form, items: texts[text].items)
    }

    /// Passes the places of texts to a closure.
    ///
    /// - Parameter windows: The starts of the windows to look at, each with seven bytes after it.
    func find(
        in buffer: UnsafeRawBufferPointer, windowsIn windows: Range<Int>,
        _ body: (_ offset: Int, _ text: Int) -> Void
    ) {
        // Safe: the filter has a bit for every hash; a window ends within the buffer, as the caller
        // promises.
        guard !isEmpty, !windows.isEmpty, let base = buffer.baseAddress else {
            return
        }
        let key = key
        let shift = filterShift
        filter.withBytes { filter in
            unsafe filter.withAddress { filter, _ in
                var position = windows.lowerBound
                let end = windows.upperBound
                while position < end {
                    let window = unsafe base.loadUnaligned(
                        fromByteOffset: position, as: UInt64.self)
                    let hash = window &* key
                    let bit = hash &>> shift
                    let byte = unsafe filter[Int(truncatingIfNeeded: bit &>> 3)]
                    if byte &>> UInt8(truncatingIfNeeded: bit & 7) & 1 != 0 {
                        unsafe verify(hash, at: position, in: buffer, body)
                    }
                    position &+= 1
                }
            }
        }
    }

    /// Compares the texts with this hash.
    @inline(never)
    private func verify(
        _ hash: UInt64, at position: Int, in buffer: UnsafeRawBufferPointer,
        _ body: (_ offset: Int, _ text: Int) -> Void
    ) {
        bytes.withBytes { bytes in
            table.withBytes { table in
                // Safe: slots are below the mask; a text is compared only if all of it is in the buffer.
                unsafe bytes.withAddress { bytes, _ in
                    unsafe table.withUnsafeBytes { table in
                        let slots = unsafe table.assumingMemoryBound(to: UInt32.self)
                        var slot = Int(hash &>> tableShift)
                        while case let number = unsafe Int(slots[slot]), number > 0 {
                            let text = texts[number - 1]
                            let start = position - text.window
                            if start >= 0, start + text.count <= buffer.count,
                                unsafe memcmp(
                                    buffer.baseAddress! + start, bytes + text.start,
                                    text.count) == 0
                            {
                                body(start, number - 1)
                            }
                            slot = (slot + 1) & tableMask
                        }
                    }
                }
            }
        }
    }
}

extension Int {
    /// The bits of the smallest power of two that is at least as large.
    fileprivate var bitCount: Int { Int.bitWidth - Swift.max(self - 1, 0).leadingZeroBitCount }
}

extension SearchedText {
    /// Safe: the window is within the text's own bytes, if these are at `bytes`.
    fileprivate func readWindow(in bytes: UnsafeRawPointer) -> UInt64 {
        unsafe bytes.loadUnaligned(fromByteOffset: start + window, as: UInt64.self)
    }
}
