import Glibc
import KeychainServices
import Testing

@testable import LanyardCryptography

/// What is left of keys in memory that was the stack of a function which has returned.
@Suite(
    "The stack",
    .enabled(if: getenv("ASAN_OPTIONS") == nil, "a sanitizer keeps variables in another place"))
struct StackTests {
    private static let key = [UInt8](1...32)

    /// A stack of a thread's own: what was written there, unless it was wiped.
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
        let stretching = PassphraseStretching(unchecked: Array(0..<16), memory: 64, passes: 1)
        let expected = bytes(try stretching.key(Secret("passphrase")))
        let stack = stack { _ = try? stretching.key(Secret("passphrase")) }
        let isThere = anyWord(of: expected, isIn: words(stack))
        #expect(!isThere)
    }

    @Test func aDigestsKeyIsNot() {
        let key = Self.key
        let stack = stack {
            let data = [UInt8](repeating: 0xEE, count: 200)
            _ = KeyedDigest.make(under: key.span, data.span)
        }
        let isThere = anyWord(of: key, isIn: words(stack))
        #expect(!isThere)
    }

    @Test func aDerivedKeyIsNot() {
        let key = Self.key
        let derived = bytes(KeyDerivation.derive(secretOf(key), label: "a label"))
        let stack = stack {
            KeyDerivation.withKey(secretOf(key), label: "a label", context: Span()) { _ in }
        }
        let words = words(stack)
        for bytes in [key, derived] {
            let isThere = anyWord(of: bytes, isIn: words)
            #expect(!isThere)
        }
    }

    /// Nor what a text was combined with, which a text whose bytes are 0 gives.
    @Test(arguments: [1, 8, 15, 16, 17, 64, 100, 4096]) func aTextsKeyIsNot(_ count: Int) {
        let key = Self.key
        let zeros = [UInt8](repeating: 0, count: count)
        let nonce = [UInt8](repeating: 9, count: 24)
        let box = SealedBox.seal(zeros.span, under: key.span, nonce: nonce, associatedData: [])
        let stacks = [
            stack {
                _ = SealedBox.seal(zeros.span, under: key.span, nonce: nonce, associatedData: [])
            },
            stack { _ = try? SealedBox.open(box.span, under: key.span, associatedData: []) },
        ]
        for stack in stacks {
            let words = words(stack)
            for bytes in [key, Array(box[24..<(24 + count)])] {
                let isThere = anyWord(of: bytes, isIn: words)
                #expect(!isThere)
            }
        }
    }
}
