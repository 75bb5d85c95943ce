import Glibc

/// Measures the programs that a tool starts for each login, and all of them, as they are installed.
func measureSizes() {
    for name in ["git-credential-lanyard", "docker-credential-lanyard"] {
        let size = size(of: "\(Options.bin)/\(name)")
        Result.report([
            Result(
                work: "size of a protocol helper", program: name, value: size.map(Double.init),
                unit: .bytes)
        ])
    }
    Result.report([
        Result(
            work: "size of all programs", program: "lanyard",
            value: Double(sizeOfFiles(in: "\(Options.bin)/..")), unit: .bytes)
    ])
}

/// How many bytes the files in a folder and below have, each counted once, without links.
private func sizeOfFiles(in folder: String) -> Int {
    guard let entries = opendir(folder) else {
        fail("can't read \(folder)")
    }
    defer { closedir(entries) }
    var sum = 0
    while let entry = readdir(entries) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        let path = "\(folder)/\(name)"
        switch Int(entry.pointee.d_type) {
        case Int(DT_REG): sum += size(of: path) ?? 0
        case Int(DT_DIR) where !name.hasPrefix("."): sum += sizeOfFiles(in: path)
        default: break
        }
    }
    return sum
}
