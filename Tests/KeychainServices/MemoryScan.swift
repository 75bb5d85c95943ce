import Glibc

/// Looks through all memory that this process can write for copies of a secret.
///
/// It reads through /proc/self/mem: what the allocator has taken back can be read there without
/// touching it, and no optimiser knows.
struct MemoryScan: ~Copyable {
    /// ASCII that is nowhere else, computed to keep this struct free of copies.
    struct Pattern {
        static let count = 32
        private let seed = UInt64.random(in: 0 ... .max)

        subscript(position: Int) -> UInt8 {
            var mixed = seed &+ UInt64(position % Pattern.count) &* 0x9E37_79B9_7F4A_7C15
            mixed = (mixed ^ (mixed >> 31)) &* 0xBF58_476D_1CE4_E5B9
            return UInt8(truncatingIfNeeded: mixed >> 29) & 0x7F | 1
        }

        /// Writes the pattern again and again. Eight times it is in the middle even where an
        /// allocator has written over the first bytes.
        func fill(_ memory: UnsafeMutableRawBufferPointer) {
            for position in memory.indices {
                memory[position] = self[position]
            }
        }
    }

    private static let chunk = 1 << 20
    private let window: UnsafeMutableRawBufferPointer
    private let memory: CInt

    init() {
        let start = mmap(
            nil, MemoryScan.chunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
        window = UnsafeMutableRawBufferPointer(start: start, count: MemoryScan.chunk)
        memory = open("/proc/self/mem", O_RDONLY)
        precondition(start != MAP_FAILED && memory >= 0, "the memory can't be read")
    }

    deinit {
        munmap(window.baseAddress, window.count)
        close(memory)
    }

    /// How many copies of the pattern there are.
    func count(_ pattern: Pattern) -> Int {
        var count = 0
        for region in MemoryScan.writableRegions() {
            guard !region.contains(UInt(bitPattern: window.baseAddress)) else { continue }
            var address = region.lowerBound
            while address + UInt(Pattern.count) <= region.upperBound {
                let wanted = min(window.count, Int(region.upperBound - address))
                let read = pread(memory, window.baseAddress, wanted, off_t(bitPattern: address))
                guard read >= Pattern.count else { break }
                count += hits(pattern, read)
                guard read > Pattern.count else { break }
                address += UInt(read - Pattern.count + 1)
            }
        }
        memset(window.baseAddress!, 0, window.count)
        return count
    }

    /// The pattern may start with any of its bytes.
    private func hits(_ pattern: Pattern, _ read: Int) -> Int {
        var count = 0
        var position = 0
        let first = pattern[0]
        while position + Pattern.count <= read,
            let hit = memchr(window.baseAddress! + position, CInt(first), read - position)
        {
            position = hit - UnsafeMutableRawPointer(window.baseAddress!)
            guard position + Pattern.count <= read else { break }
            if (0..<Pattern.count).allSatisfy({ window[position + $0] == pattern[$0] }) {
                count += 1
            }
            position += 1
        }
        return count
    }

    /// Where the process can write, without a sanitizer's huge shadow.
    private static func writableRegions() -> [Range<UInt>] {
        guard let file = fopen("/proc/self/maps", "r") else { return [] }
        defer { fclose(file) }
        var regions: [Range<UInt>] = []
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, CInt(line.count), file) != nil {
            let text = String(
                decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let fields = text.split(separator: " ")
            let bounds = fields[0].split(separator: "-").map { UInt($0, radix: 16)! }
            guard fields[1].hasPrefix("rw"), bounds[1] - bounds[0] < 1 << 30 else { continue }
            regions.append(bounds[0]..<bounds[1])
        }
        return regions
    }
}
