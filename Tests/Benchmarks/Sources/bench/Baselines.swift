/// How many instructions each operation took when that was last written down, for one kind of machine.
struct Baselines {
    /// What the programs and the counts were made with: libraries, compiler, valgrind.
    var toolchain: String
    /// The counts by the name of the operation.
    var counts: [String: Int]
    /// The names in the file's order.
    var names: [String]

    init(toolchain: String) {
        self.toolchain = toolchain
        counts = [:]
        names = []
    }

    /// What is in a file; nothing where there is none.
    init(file: String) {
        self.init(toolchain: "")
        for line in read(file).split(separator: "\n") {
            if line.hasPrefix(Self.toolchainMark) {
                toolchain = String(line.dropFirst(Self.toolchainMark.count))
            }
            // NUMBER  NAME
            let fields = line.split(separator: " ", maxSplits: 1)
            if fields.count == 2, let count = Int(fields[0]) {
                add(String(fields[1].drop { $0 == " " }), count)
            }
        }
    }

    mutating func add(_ name: String, _ count: Int) {
        counts[name] = count
        names.append(name)
    }

    /// The text of the file.
    var text: String {
        let heading = """
            # How many instructions each operation takes; see README.md.
            \(Self.toolchainMark)\(toolchain)

            """
        let width = counts.values.map { "\($0)".count }.max() ?? 0
        return heading
            + names.map { name in
                let number = "\(counts[name] ?? 0)"
                let spaces = String(repeating: " ", count: width - number.count)
                return "\(number)\(spaces)  \(name)\n"
            }.joined()
    }

    private static let toolchainMark = "# made with: "
}
