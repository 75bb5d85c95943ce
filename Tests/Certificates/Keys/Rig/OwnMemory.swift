import Glibc

/// The writable memory of this process, searched for bytes that have to be gone.
struct OwnMemory {
    /// Bytes to search for, never in memory as they are.
    struct Pattern {
        private var masked: [UInt8] = []
        private static let mask: UInt8 = 0x5A

        mutating func append(_ byte: UInt8) {
            masked.append(byte ^ Self.mask)
        }

        var count: Int { masked.count }
        /// The bytes as libcrypto's numbers have them.
        var reversed: Pattern {
            var pattern = Pattern()
            pattern.masked = masked.reversed()
            return pattern
        }

        func unmask(into memory: UnsafeMutableRawPointer) {
            for (index, byte) in masked.enumerated() {
                memory.storeBytes(of: byte ^ Self.mask, toByteOffset: index, as: UInt8.self)
            }
        }
    }

    /// Returns how many times the bytes are there.
    static func count(_ pattern: Pattern) -> Int {
        // The pattern and what is read are in memory of their own, which is not searched.
        let page = 4096
        let size = page + 1 << 20
        guard let own = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            own != MAP_FAILED
        else {
            return -1
        }
        defer { munmap(own, size) }
        pattern.unmask(into: own)
        let file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var found = 0
        for region in regions(except: UInt(bitPattern: own)) {
            var position = region.lowerBound
            while position < region.upperBound {
                let length = min(region.upperBound - position, UInt(size - page))
                let read = pread(file, own + page, Int(length), off_t(position))
                found += occurrences(of: own, pattern.count, in: own + page, read)
                position += length
            }
        }
        return found
    }

    private static func occurrences(
        of needle: UnsafeRawPointer, _ length: Int, in memory: UnsafeRawPointer, _ count: Int
    ) -> Int {
        let first = Int32(needle.load(as: UInt8.self))
        var (found, start) = (0, memory)
        while count - (start - memory) >= length,
            let place = memchr(start, first, count - (start - memory) - length + 1)
        {
            if memcmp(place, needle, length) == 0 {
                found += 1
            }
            start = UnsafeRawPointer(place) + 1
        }
        return found
    }

    /// The places of writable memory, without that which begins at an address.
    private static func regions(except own: UInt) -> [Range<UInt>] {
        guard let file = fopen("/proc/self/maps", "re") else {
            return []
        }
        defer { fclose(file) }
        var regions: [Range<UInt>] = []
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, Int32(line.count), file) != nil {
            var (start, end): (UInt, UInt) = (0, 0)
            var access: (CChar, CChar) = (0, 0)
            let fields = withUnsafeMutablePointer(to: &start) { start in
                withUnsafeMutablePointer(to: &end) { end in
                    withUnsafeMutablePointer(to: &access.0) { first in
                        withUnsafeMutablePointer(to: &access.1) { second in
                            withVaList([start, end, first, second]) {
                                vsscanf(line, "%lx-%lx %c%c", $0)
                            }
                        }
                    }
                }
            }
            if fields == 4, access.1 == CChar(UInt8(ascii: "w")), !(start...end).contains(own) {
                regions.append(start..<end)
            }
        }
        return regions
    }
}
