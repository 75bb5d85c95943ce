import Glibc

/// The writable memory of this process, searched for bytes that have to be gone.
///
/// It is read through /proc/self/mem: what the allocator has taken back can be read there without
/// touching it, and no optimiser knows.
public struct OwnMemory {
    /// Bytes to search for, never in memory as they are.
    public struct Pattern: Sendable {
        private static let mask: UInt8 = 0x5A
        private var masked: [UInt8] = []

        /// Creates one without bytes.
        public init() {}

        /// Bytes that are nowhere else.
        public static func random(count: Int, of bytes: ClosedRange<UInt8> = 1...127) -> Pattern {
            var pattern = Pattern()
            for _ in 0..<count {
                pattern.append(.random(in: bytes))
            }
            return pattern
        }

        /// Random letters: more than the vector registers have of a copy, which the loader saves on the stack.
        public static func randomWord() -> Pattern { random(count: 512, of: 0x61...0x7A) }

        /// Passes the bytes of a text to a closure, and its own instead of each `SECRET`.
        public func forEachByte(of text: String, _ body: (UInt8) -> Void) {
            let parts = text.split(separator: "SECRET", omittingEmptySubsequences: false)
            for (number, part) in parts.enumerated() {
                for position in 0..<(number > 0 ? count : 0) {
                    body(self[position])
                }
                part.utf8.forEach(body)
            }
        }

        /// Writes a text to a file, and its own bytes instead of each `SECRET`, without a copy of them.
        public func write(_ text: String, to path: String) {
            let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(file) }
            forEachByte(of: text) { byte in
                var byte = byte
                _ = Glibc.write(file, &byte, 1)
            }
        }

        /// Appends a byte.
        public mutating func append(_ byte: UInt8) {
            masked.append(byte ^ Self.mask)
        }

        /// The number of bytes.
        public var count: Int { masked.count }

        /// The byte at a position; the first one follows the last.
        public subscript(position: Int) -> UInt8 { masked[position % count] ^ Self.mask }

        /// The bytes as libcrypto's numbers have them.
        public var reversed: Pattern {
            var pattern = Pattern()
            pattern.masked = masked.reversed()
            return pattern
        }

        /// Writes the bytes again and again.
        public func fill(_ memory: UnsafeMutableRawBufferPointer) {
            for position in memory.indices {
                memory[position] = self[position]
            }
        }
    }

    /// Returns how many times the bytes are there.
    ///
    /// - Parameter regions: Where to search, nil for everywhere. They may have holes: another test may give memory
    ///   back at any time.
    public static func count(_ pattern: Pattern, in regions: [Range<UInt>]? = nil) -> Int {
        let page = 4096
        let size = page + 1 << 20
        guard let own = window(size) else {
            return -1
        }
        defer { munmap(own, size) }
        pattern.fill(UnsafeMutableRawBufferPointer(start: own, count: pattern.count))
        let file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var found = 0
        // Only now: the window could else be where memory was that another test has given back since.
        for region in regions ?? Self.regions() {
            var position = region.lowerBound
            while position + UInt(pattern.count) <= region.upperBound {
                let length = Int(min(region.upperBound - position, UInt(size - page)))
                let read = pread(file, own + page, length, off_t(position))
                guard read >= pattern.count else {
                    position = (position / UInt(page) + 1) * UInt(page)
                    continue
                }
                found += occurrences(of: own, pattern.count, in: own + page, read)
                // The bytes may begin in one part and end in the next.
                position += UInt(read - pattern.count + 1)
            }
        }
        return found
    }

    /// Memory for the pattern and for what is read. No search looks at it, because several tests may
    /// search at once: shared memory without a file is nothing else's.
    private static func window(_ size: Int) -> UnsafeMutableRawPointer? {
        let memory = mmap(
            nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
        return memory == MAP_FAILED ? nil : memory
    }

    /// How /proc/self/maps names it.
    private static let windowName = "/dev/zero (deleted)"

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

    /// The thread sanitizer's shadow. Linux places no memory of a program's there.
    private static let shadow: Range<UInt> = 0x1000_0000_0000..<0x4000_0000_0000

    /// The places of writable memory, without that of searches, the thread sanitizer's shadow and the huge one
    /// of the address sanitizer.
    private static func regions() -> [Range<UInt>] {
        guard let file = fopen("/proc/self/maps", "re") else {
            return []
        }
        defer { fclose(file) }
        var regions: [Range<UInt>] = []
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(
                decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let fields = text.split(separator: " ")
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard fields[1].hasPrefix("rw"), bounds.count == 2, bounds[1] - bounds[0] < 1 << 36,
                !shadow.contains(bounds[0]), !text.contains(windowName)
            else { continue }
            // Locked pages are regions of their own: what is searched for may begin before them. One that grew
            // while the file was read is there twice.
            if let last = regions.last, last.upperBound >= bounds[0] {
                regions[regions.count - 1] = last.lowerBound..<max(last.upperBound, bounds[1])
            } else {
                regions.append(bounds[0]..<bounds[1])
            }
        }
        return regions
    }
}
