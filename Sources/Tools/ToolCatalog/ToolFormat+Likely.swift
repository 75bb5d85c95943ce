package import KeychainServices
internal import ToolHelpers

extension ToolFormat {
    /// Guesses the tool for a host; nil if the name gives no clue.
    ///
    /// - Parameter host: Its name, without a port.
    package init?(host: ByteString) {
        let host = host.lowercasedASCII.description
        let firstLabel = String(host.prefix { $0 != "." })
        let isName = host.contains(".")
        // A registry can be below a forge; the more specific rule therefore comes first.
        let rules: [(Hosts) -> Bool] = [
            { $0.names.contains(host) },
            { $0.domains.contains { host.hasSuffix(".\($0)") } },
            { isName && $0.firstLabels.contains(firstLabel) },
        ]
        for rule in rules {
            if let tool = ToolFormat.all.first(where: { rule($0.hosts) }) {
                self = tool
                return
            }
        }
        return nil
    }

    /// Finds the tool whose group differs from a name by one typing error or by capitals; nil for the exact
    /// name, too. Half of all names of two letters would be typing errors of another one.
    package init?(misspeltGroup group: ByteString) {
        let typed = Array(group.lowercasedASCII.bytes)
        let meant = ToolFormat.all.first { tool in
            tool.accessGroup != group && tool.name.utf8.count > 2
                && ToolFormat.isOneSlip(typed, Array(tool.name.utf8))
        }
        guard let meant else {
            return nil
        }
        self = meant
    }

    /// Whether one inserted, missing, different or swapped character turns one into the other.
    private static func isOneSlip(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one != other else {
            return true
        }
        let start = zip(one, other).prefix { $0 == $1 }.count
        let end = zip(one.dropFirst(start).reversed(), other.dropFirst(start).reversed())
            .prefix { $0 == $1 }.count
        let middle = one.dropFirst(start).dropLast(end)
        let others = other.dropFirst(start).dropLast(end)
        return middle.count <= 1 && others.count <= 1
            || middle.count == 2 && middle.elementsEqual(others.reversed())
    }
}
