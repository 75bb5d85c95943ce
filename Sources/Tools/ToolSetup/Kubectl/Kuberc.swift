internal import KeychainServices
internal import PlainTextFormats

/// kubectl's file of preferences, which may limit the programs that a kubeconfig starts.
struct Kuberc {
    /// A line of the list.
    struct Line {
        /// Where it goes.
        let place: Int
        let column: Int
        /// Without the spaces before it.
        let text: String
    }

    private static let list = "credentialPluginAllowlist"

    private let yaml: KubernetesFile

    /// Parses a file.
    ///
    /// - Throws: ``Status/decode`` for no YAML, and for what is not read of it; ``Status/param`` if it permits no program.
    init(_ bytes: FileBytes) throws(KeychainError) {
        yaml = try KubernetesFile(bytes)
        switch yaml.root["credentialPluginPolicy"]?.name ?? "" {
        case "", "AllowAll": break
        case "Allowlist":
            guard yaml.root[Kuberc.list]?.items.isEmpty == false else {
                throw KeychainError(.decode, "its \(Kuberc.list) has no entries")
            }
        case let policy:
            throw KeychainError(.decode, "its credentialPluginPolicy is \(policy)")
        }
    }

    /// Returns the line that permits a program, nil if it is permitted.
    func line(for program: String) -> Line? {
        guard let entry = yaml.root.entry(Kuberc.list), !entry.node.isFlow,
            let first = entry.node.items.first?.entries.first
        else {
            return nil
        }
        let permitted = entry.node.items.flatMap(\.entries).compactMap { $0.node.name }
        guard !permitted.contains(program) else {
            return nil
        }
        // kubectl 1.35 calls it `name`, newer ones `command`.
        return Line(
            place: entry.lines.upperBound,
            column: yaml.lines[first.lines.lowerBound].prefix { $0 == UInt8(ascii: " ") }.count,
            text: "- \(first.key): \(program)")
    }

    /// Returns the bytes with a line.
    func adding(_ line: Line) -> FileBytes {
        var lines = yaml.lines
        let text = String(repeating: " ", count: line.column) + line.text
        lines.insert(FileBytes(text), at: line.place)
        return FileBytes(joining: lines, separator: "\n")
    }
}
