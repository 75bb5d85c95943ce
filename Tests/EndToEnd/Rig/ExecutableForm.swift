import Foundation

/// What an executable's own headers say of how it is loaded: ELF, 64 bits, in the machine's byte order.
struct ExecutableForm {
    /// A part of the file that is mapped into memory.
    struct Segment {
        let type: UInt32
        let flags: UInt32
        let addresses: Range<UInt64>

        var isWritable: Bool { flags & 2 != 0 }
        var isExecutable: Bool { flags & 1 != 0 }
    }

    let type: UInt16
    let segments: [Segment]
    /// The dynamic section: tags and values.
    let dynamic: [UInt64: UInt64]
    /// The sections' names and addresses; a name can be that of several.
    let sections: [(name: String, addresses: Range<UInt64>)]

    init(_ path: String) throws {
        let file = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
        func number<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
            file[offset..<offset + Number.bitWidth / 8].withUnsafeBytes {
                $0.loadUnaligned(as: Number.self)
            }
        }
        func place(_ offset: Int) -> Int { Int(number(offset, UInt64.self)) }
        func range(_ start: Int, _ size: Int) -> Range<UInt64> {
            let start = number(start, UInt64.self)
            return start..<start + number(size, UInt64.self)
        }
        guard file.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2]) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        type = number(16, UInt16.self)
        let headers = (0..<Int(number(56, UInt16.self))).map { place(32) + $0 * 56 }
        segments = headers.map {
            Segment(
                type: number($0, UInt32.self), flags: number($0 + 4, UInt32.self),
                addresses: range($0 + 16, $0 + 40))
        }
        var dynamic: [UInt64: UInt64] = [:]
        for header in headers where number(header, UInt32.self) == 2 {
            let start = place(header + 8)
            for entry in stride(from: start, to: start + place(header + 32), by: 16) {
                dynamic[number(entry, UInt64.self)] = number(entry + 8, UInt64.self)
            }
        }
        self.dynamic = dynamic
        let tables = (0..<Int(number(60, UInt16.self))).map { place(40) + $0 * 64 }
        let names = tables.isEmpty ? 0 : place(tables[Int(number(62, UInt16.self))] + 24)
        sections = tables.map { table in
            let name = file[(names + Int(number(table, UInt32.self)))...].prefix { $0 != 0 }
            return (String(decoding: name, as: UTF8.self), range(table + 16, table + 32))
        }
    }

    private static let load: UInt32 = 1
    private static let stack: UInt32 = 0x6474_E551
    private static let relro: UInt32 = 0x6474_E552

    /// What of it an attacker could use; nothing in a program of ours.
    var weaknesses: [String] {
        let flags = dynamic[30] ?? 0
        let moreFlags = dynamic[0x6FFF_FFFB] ?? 0
        let stack = segments.first { $0.type == ExecutableForm.stack }
        let protected = segments.first { $0.type == ExecutableForm.relro }?.addresses ?? 0..<0
        // What only the loader writes to, and what nothing writes to.
        let constant = [
            ".got", ".got.plt", ".data.rel.ro", ".init_array", ".fini_array", ".dynamic", ".rodata",
        ]
        let writable = sections.filter { section in
            constant.contains(section.name) && !section.addresses.isEmpty
                && !protected.contains(section.addresses.lowerBound)
                && segments.contains {
                    $0.type == ExecutableForm.load && $0.isWritable
                        && $0.addresses.contains(section.addresses.lowerBound)
                }
        }.map(\.name)
        let findings: [(Bool, String)] = [
            (type != 3 || moreFlags & 0x0800_0000 == 0, "it has a fixed address"),
            (flags & 8 == 0 || moreFlags & 1 == 0, "functions are bound while it runs"),
            (protected.isEmpty, "nothing is made read-only after relocation"),
            (!writable.isEmpty, "these stay writable: \(writable)"),
            (stack?.isExecutable ?? true, "its stack is executable"),
            (
                segments.contains { $0.isWritable && $0.isExecutable },
                "there is memory that is writable and executable"
            ),
            (dynamic[22] != nil || flags & 4 != 0, "its code is relocated"),
            (
                dynamic[15] != nil || dynamic[29] != nil,
                "it looks for libraries at a path of its own"
            ),
        ]
        return findings.filter(\.0).map(\.1)
    }
}
