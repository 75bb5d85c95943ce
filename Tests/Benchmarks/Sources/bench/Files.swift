import Glibc

/// Where everything that a run makes lies; the caller removes it.
let scratch = String(cString: getenv("SCRATCH"))

/// Writes a file for its owner alone.
func write(_ path: String, _ text: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(descriptor) }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        precondition(count > 0, "can't write \(path)")
        bytes = bytes.dropFirst(count)
    }
}

/// The text of a file.
func read(_ path: String) -> String {
    guard let file = fopen(path, "r") else {
        return ""
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF {
        bytes.append(UInt8(byte))
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// A variable of the environment, nil if it is not set or empty.
func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else {
        return nil
    }
    return String(cString: value)
}

/// Ends the program with an error.
func fail(_ reason: String) -> Never {
    let line = Array("lanyard: error: \(reason)\n".utf8)
    _ = Glibc.write(2, line, line.count)
    exit(1)
}
