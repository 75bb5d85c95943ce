import PlainTextFormats
import ToolCatalog

/// A file of a profile's program with a value in each place that the profile names, and invented ones.
///
/// Secrets are such as `ssabss`, other values such as `xxabxx`.
struct ProfileFileText {
    /// A value, or a mapping by names in their order.
    private indirect enum Node {
        case value(String)
        case mapping([(name: String, node: Node)])
    }

    private var root = Node.mapping([])
    private var count = 0
    private(set) var text = ""

    /// - Returns: nil for a format without names.
    init?(_ file: SecretFile) {
        for key in file.keys {
            let isSecret = key.holds == .secret
            let path = key.path.map { step in
                switch step {
                case .named(let name): name
                case .any: "any"
                case .ending(let end): "a\(end)"
                case .starting(let start): "\(start)a"
                }
            }
            add(path, isSecret ? "ss" : "xx")
            guard isSecret else {
                continue
            }
            let top =
                path.count > 1 && file.format == .ini || file.format == .xml
                ? Array(path.prefix(1)) : []
            for place in [path.dropLast(), top[...]] {
                // A token next to a session's may belong to it.
                if !file.keys.contains(where: { $0.exclusion == .session }) {
                    add(place + ["inventedToken"], "ss")
                }
                for name in [
                    "invented_api_key", "inventedSecret", "invented-password", "inventedCredential",
                    "invented_credentials", "inventedKey", "password_of_mine",
                ] {
                    add(place + [name], "ss")
                }
                add(place + ["inventedProxy"], "ss", before: "http://ada:", after: "@p.example")
                add(place + ["inventedHeader"], "ss", before: "Basic ")
            }
        }
        switch file.format {
        case .json: text = Self.json(root)
        case .yaml: text = Self.yaml(root, "")
        case .xml: text = String(Self.xml(root).dropFirst())
        case .toml: text = Self.tables(root, [], "\"")
        // Not all programs take quotation marks off.
        case .ini, .properties: text = Self.tables(root, [], "")
        case .netrc, .pgpass, .hcl, .singleLine: return nil
        }
    }

    private mutating func add(
        _ path: [String], _ mark: String, before: String = "", after: String = ""
    ) {
        count += 1
        let letters = [count / 26, count % 26].map { String(UnicodeScalar(UInt8(97 + $0))) }
        let value = before + mark + letters.joined() + mark + after
        root = Self.adding(value, at: path[...], to: root)
    }

    private static func adding(_ value: String, at path: ArraySlice<String>, to node: Node) -> Node
    {
        guard let name = path.first else {
            return .value(value)
        }
        guard case .mapping(var members) = node else {
            return node
        }
        let index = members.firstIndex { member in
            if case .value = member.node { false } else { member.name == name && path.count > 1 }
        }
        if let index {
            members[index].node = adding(value, at: path.dropFirst(), to: members[index].node)
        } else if !members.contains(where: { $0.name == name }) {
            members.append((name, adding(value, at: path.dropFirst(), to: .mapping([]))))
        }
        return .mapping(members)
    }

    private static func json(_ node: Node) -> String {
        switch node {
        case .value(let value): "\"\(value)\""
        case .mapping(let members):
            "{\n" + members.map { "\"\($0.name)\": \(json($0.node))" }.joined(separator: ",\n")
                + "}"
        }
    }

    private static func yaml(_ node: Node, _ blanks: String) -> String {
        guard case .mapping(let members) = node else {
            return ""
        }
        return members.map { member in
            if case .value(let value) = member.node {
                "\(blanks)\"\(member.name)\": \(value)\n"
            } else {
                "\(blanks)\"\(member.name)\":\n\(yaml(member.node, blanks + "  "))"
            }
        }.joined()
    }

    private static func xml(_ node: Node) -> String {
        switch node {
        case .value(let value): value
        case .mapping(let members):
            "\n" + members.map { "<\($0.name)>\(xml($0.node))</\($0.name)>\n" }.joined()
        }
    }

    private static func tables(_ node: Node, _ path: [String], _ mark: String) -> String {
        guard case .mapping(let members) = node else {
            return ""
        }
        var lines = path.isEmpty ? "" : "[\(path.joined(separator: "."))]\n"
        for member in members {
            if case .value(let value) = member.node {
                lines += "\(quoted(member.name)) = \(mark)\(value)\(mark)\n"
            }
        }
        for member in members {
            if case .mapping = member.node {
                lines += tables(member.node, path + [quoted(member.name)], mark)
            }
        }
        return lines
    }

    private static func quoted(_ name: String) -> String {
        name.allSatisfy { $0.isLetter || $0.isNumber || "_-".contains($0) } ? name : "\"\(name)\""
    }
}
