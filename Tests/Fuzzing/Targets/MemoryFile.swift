import CLibFuzzer
import Glibc

/// A file that is nowhere but in memory. The corresponding C function is `memfd_create`.
final class MemoryFile: @unchecked Sendable {
    let descriptor: Int32

    init() {
        descriptor = memfd_create("fuzz", 0)
        check(descriptor >= 0, "there is no file in memory to be had")
    }

    /// Puts bytes in place of all that is in it, to be read from the start.
    func write(_ bytes: [UInt8]) {
        ftruncate(descriptor, 0)
        let count = pwrite(descriptor, bytes, bytes.count, 0)
        check(count == bytes.count, "a file in memory can't be written")
        lseek(descriptor, 0, SEEK_SET)
    }

    /// All that is in it.
    func read() -> [UInt8] {
        let size = Int(lseek(descriptor, 0, SEEK_END))
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(pread(descriptor, buffer.baseAddress, size, 0), 0)
        }
    }
}
