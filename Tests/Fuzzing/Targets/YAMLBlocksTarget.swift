import KeychainServices

@testable import ToolSetup

/// A kubeconfig, as its setup changes it line by line.
enum YAMLBlocksTarget: FuzzTarget {
    static let name = "yaml-blocks"

    static func run(_ input: [UInt8]) {
        let read = attempt { () throws(KeychainError) in
            try YAMLBlocks(FileBytes(input))
        }
        guard let yaml = read else {
            return
        }
        let same = FileBytes(joining: yaml.lines, separator: "\n")
        check(same.elementsEqual(input), "unchanged lines are written as something else")
        checkLines(yaml.root, in: 0..<yaml.lines.count)
    }

    /// What belongs to a key is in its lines.
    private static func checkLines(_ node: YAMLBlocks.Node, in lines: Range<Int>) {
        for entry in node.entries {
            check(
                entry.lines.lowerBound >= lines.lowerBound
                    && entry.lines.upperBound <= lines.upperBound, "an entry is outside of its key")
            checkLines(entry.node, in: entry.lines)
        }
        for item in node.items {
            checkLines(item, in: lines)
        }
    }
}
