internal import Glibc
internal import LinuxSystem
internal import LanyardSecrets

/// Searches files one after another, in the same memory.
@safe  // Safe: the memory outlives the value, which only ``with(_:_:)`` creates.
struct FileSearch {
    /// How many bytes are read at once.
    private static let pieceSize = 1 << 20

    private let search: SecretSearch
    private let buffer: UnsafeMutableRawBufferPointer

    /// A match with its line.
    struct Found {
        let line: Int
        let match: SecretSearch.Match
    }

    /// The result of a file.
    struct Result {
        /// The matches in the file's order, up to the limit.
        var found: [Found] = []
        /// How many bytes were read.
        var size = 0
    }

    /// Lends a value to a closure; its memory is wiped afterwards.
    static func with<Failure: Error>(
        _ search: SecretSearch, _ body: (FileSearch) throws(Failure) -> Void
    ) throws(Failure) {
        // Safe: the memory lives until the closure ends, and has room for a piece and its context.
        let used = unsafe try Secret(capacity: pieceSize + 2 * SecretSearch.context) {
            memory throws(Failure) in
            try body(unsafe FileSearch(search: search, buffer: memory))
            return 0
        }
        _ = consume used
    }

    /// Searches a file from its current position, which is its start.
    ///
    /// - Parameters:
    ///   - limit: How many matches to return.
    ///   - sizeLimit: How many bytes to read of a file that grows.
    func result(
        of descriptor: Int32, limit: Int, sizeLimit: Int
    ) throws(SystemCallError) -> Result {
        var result = Result()
        var matches: [SecretSearch.Match] = []
        /// How many bytes of the buffer are the file's, from `base` in it.
        var filled = 0
        var base = 0
        var next = 0
        var isEnd = false
        while !isEnd {
            // Safe: `filled` is within the buffer.
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let read = unsafe try SystemCalls.read(descriptor, room)
            filled += read
            result.size += read
            isEnd = read == 0 || result.size > sizeLimit
            // The last windows lack what follows them, and wait for it.
            let end = max(next, filled - (isEnd ? 7 : SecretSearch.context))
            // Safe: the windows are within what was read.
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<filled])
            unsafe search.find(in: bytes, windowsIn: next..<end) { offset, text in
                if matches.count < limit {
                    matches.append(search.match(base + offset, text))
                }
            }
            let unneeded = max(0, end - SecretSearch.context)
            // Safe: both parts are within the buffer.
            unsafe buffer.baseAddress!.copyMemory(
                from: buffer.baseAddress! + unneeded, byteCount: filled - unneeded)
            filled -= unneeded
            base += unneeded
            next = end - unneeded
        }
        if !matches.isEmpty {
            matches.sort { $0.offset < $1.offset }
            var wanted: [SecretSearch.Match] = []
            for match in matches {
                let isWanted = try match.isMark ? isPrivateKey(match, descriptor) : true
                wanted += isWanted ? [match] : []
            }
            result.found = try withLines(wanted, descriptor)
        }
        return result
    }

    /// Reads the text around a mark again.
    private func isPrivateKey(
        _ mark: SecretSearch.Match, _ descriptor: Int32
    ) throws(SystemCallError) -> Bool {
        let start = max(0, mark.offset - PrivateKeyText.before)
        let size = mark.offset - start + PrivateKeyText.after
        // Safe: the buffer has a piece's size at least.
        let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])
        let count = unsafe try SystemCalls.read(descriptor, piece, at: start)
        // Safe: so many bytes were read, and nothing changes them during the call.
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: piece[..<count])
        return unsafe PrivateKeyText.isUnencrypted(
            in: Span(_unsafeBytes: bytes), markAt: mark.offset - start)
    }

    /// Reads the file again up to the last match: most files have none, and need no lines.
    private func withLines(
        _ matches: [SecretSearch.Match], _ descriptor: Int32
    ) throws(SystemCallError) -> [Found] {
        var found: [Found] = []
        var line = 1
        var position = 0
        var next = 0
        while next < matches.count {
            // Safe: the buffer has a piece's size at least.
            let piece = unsafe UnsafeMutableRawBufferPointer(
                rebasing: buffer[..<FileSearch.pieceSize])
            let count = unsafe try SystemCalls.read(descriptor, piece, at: position)
            var index = 0
            while next < matches.count, count == 0 || matches[next].offset < position + count {
                let end = min(count, matches[next].offset - position)
                // Safe: `end` is within what was read.
                unsafe line += FileSearch.lineFeeds(UnsafeRawBufferPointer(piece), index, end)
                index = max(index, end)
                found.append(Found(line: line, match: matches[next]))
                next += 1
            }
            // Safe: as above.
            unsafe line += FileSearch.lineFeeds(UnsafeRawBufferPointer(piece), index, count)
            position += count
        }
        return found
    }

    private static func lineFeeds(
        _ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int
    ) -> Int {
        var count = 0
        var index = start
        while index < end {
            // Safe: the indices are within the bytes.
            unsafe count += bytes[index] == 0x0A ? 1 : 0
            index += 1
        }
        return count
    }
}
