import Glibc

/// Writes a file, for its owner alone if nothing else is said, or adds to it.
func write(_ path: String, _ text: String, adding: Bool = false, mode: mode_t = 0o600) {
    let descriptor = open(path, O_WRONLY | O_CREAT | (adding ? O_APPEND : O_TRUNC), mode)
    defer { close(descriptor) }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else {
            fail("can't write \(path)")
        }
        bytes = bytes.dropFirst(count)
    }
}

/// The text of a file, empty if there is none.
func read(_ path: String) -> String {
    guard let file = fopen(path, "r") else {
        return ""
    }
    defer { fclose(file) }
    var text: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&part, 1, part.count, file), count > 0 {
        text += part[..<count]
    }
    return String(decoding: text, as: UTF8.self)
}

/// Puts a file's pages out of the page cache, as far as no program has mapped them.
func dropPages(of path: String) {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else {
        fail("can't read \(path)")
    }
    defer { close(descriptor) }
    // Pages that are not on the disk yet stay.
    guard fsync(descriptor) == 0, posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) == 0 else {
        fail("the pages of \(path) can't be dropped")
    }
}

/// How many bytes a file has, nil if there is none.
func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
}

/// Prints a line at once, also into a pipe.
func say(_ line: String) {
    print(line)
    fflush(nil)
}
