import Glibc
import KeychainServices
import Testing

@testable import Cryptography
@testable import LinuxSystem

/// What is left of keys in memory that was the stack of a function which has returned.
@Suite(
    "The stack",
    .enabled(if: getenv("ASAN_OPTIONS") == nil, "a sanitizer keeps variables in another place"))
struct StackTests {
    private static let key = [UInt8](1...32)
    private static let nonce = [UInt8](repeating: 0, count: 12)

    /// A stack of a thread's own: what was written there, if nobody wiped it.
    private func stack(after body: @escaping @Sendable () -> Void) -> [UInt8] {
        // At the first call of a function in a shared library the loader puts registers on the stack. The
        // programs are static, or have all found before they begin.
        body()
        let size = 1 << 18
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 4096)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        pthread_attr_init(attributes)
        defer { pthread_attr_destroy(attributes) }
        #expect(pthread_attr_setstack(attributes, memory, size) == 0)
        final class Work {
            let body: () -> Void
            init(_ body: @escaping () -> Void) { self.body = body }
        }
        var thread: pthread_t = 0
        let work = Unmanaged.passRetained(Work(body)).toOpaque()
        let result = pthread_create(
            &thread, attributes,
            { work in
                Unmanaged<Work>.fromOpaque(work!).takeRetainedValue().body()
                return nil
            }, work)
        #expect(result == 0)
        pthread_join(thread, nil)
        return [UInt8](UnsafeRawBufferPointer(start: memory, count: size))
    }

    /// Every 8 bytes that stand in the stack one after the other.
    private func words(_ stack: [UInt8]) -> Set<UInt64> {
        stack.withUnsafeBytes { stack in
            Set(
                (0...(stack.count - 8)).lazy
                    .map { stack.loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
                    .filter { $0 != 0 })
        }
    }

    /// Whether 8 of the bytes that begin at a multiple of 8 are there.
    private func anyWord(of bytes: some Collection<UInt8>, isIn words: Set<UInt64>) -> Bool {
        Array(bytes).withUnsafeBytes { bytes in
            stride(from: 0, through: bytes.count - 8, by: 8).contains {
                words.contains(bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self))
            }
        }
    }

    /// Else the tests below would say nothing.
    @Test func whatIsLeftIsFound() {
        let needle = [UInt8](100..<132)
        // So deep that the end of a thread, which uses its stack too, does not reach all of it.
        @Sendable func leave(_ depth: Int) {
            withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { memory in
                for offset in stride(from: 0, to: memory.count, by: needle.count) {
                    UnsafeMutableRawBufferPointer(rebasing: memory[offset...])
                        .copyBytes(from: needle)
                }
                if depth > 0 {
                    leave(depth - 1)
                }
            }
        }
        let stack = stack { leave(64) }
        let isThere = anyWord(of: needle, isIn: words(stack))
        #expect(isThere)
    }

    @Test func aPassphraseKeyIsNot() throws {
        let expected = bytes(
            try Scrypt.derive(Secret("passphrase"), salt: [1], log2N: 10, r: 8, p: 1))
        let stack = stack {
            _ = try? Scrypt.derive(Secret("passphrase"), salt: [1], log2N: 10, r: 8, p: 1)
        }
        let isThere = anyWord(of: expected, isIn: words(stack))
        #expect(!isThere)
    }

    /// The first two of the keys of AES's rounds are the key itself.
    @Test func aTextsKeyIsNot() {
        let key = Self.key
        let nonce = Self.nonce
        let stack = stack { AES256GCM.withCipher(key: key.span, nonce: nonce) { _ in } }
        let words = words(stack)
        let isThere = anyWord(of: key, isIn: words)
        #expect(!isThere)
        let swapped = stride(from: 0, to: key.count, by: 4).flatMap { key[$0..<$0 + 4].reversed() }
        let isThereSwapped = anyWord(of: swapped, isIn: words)
        #expect(!isThereSwapped)
    }

    /// A text whose bytes are 0 gives what texts are combined with.
    @Test(arguments: [1, 8, 15, 16, 17, 100, 4096], [0, 1])
    func whatATextWasCombinedWithIsNot(_ count: Int, _ offset: Int) {
        let key = Self.key
        let nonce = Self.nonce
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 8192)
        defer { memory.deallocate() }
        nonisolated(unsafe) let output = memory + offset
        output.initialize(repeating: 0, count: count)
        let zeros = [UInt8](repeating: 0, count: count)
        let stacks = [
            stack {
                AES256GCM.withCipher(key: key.span, nonce: nonce) {
                    $0.encrypt(UnsafeMutableBufferPointer(start: output, count: count))
                }
            },
            stack {
                AES256GCM.withCipher(key: key.span, nonce: nonce) {
                    $0.decrypt(zeros.span, into: output)
                }
            },
        ]
        let whole = (count + 15) / 16 * 16
        let blocks = AES256GCM.withCipher(key: key.span, nonce: nonce) { stream in
            var blocks = [UInt8](repeating: 0, count: whole)
            blocks.withUnsafeMutableBufferPointer { stream.encrypt($0) }
            return blocks
        }
        for stack in stacks {
            let isThere = anyWord(of: blocks, isIn: words(stack))
            #expect(!isThere)
        }
    }
}
