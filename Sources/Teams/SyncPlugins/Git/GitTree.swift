internal import LinuxSystem
internal import LanyardSecrets
internal import SyncEngine

/// What a commit has of a team: one file for each record and for each entry of the roster. Their names say
/// everything but the contents: `records/ab/ID.VERSION.SEQUENCE`, `roster/NUMBER`.
///
/// Whoever may push can add files of any names: of two files of a record the later version counts, and a number that is too
/// far ahead is not the base of the next one.
struct GitTree {
    /// A record's file.
    struct Record {
        let version: UInt64
        fileprivate(set) var sequence: UInt64
        /// The number in the file's name.
        fileprivate let named: UInt64

        func path(of id: Identifier, team: Identifier) -> String {
            GitTree.path(of: id, version: version, sequence: named, team: team)
        }
    }

    /// The commit, nil if there is none.
    let commit: String?
    private(set) var records: [Identifier: Record] = [:]
    /// The number of the roster's entries.
    private(set) var rosterCount: UInt64 = 0
    private(set) var sequence: UInt64 = 0
    /// The records whose numbers are too far ahead: they count as changed last, and the next put gives them its number.
    private(set) var early: [Identifier] = []
    /// Other files that look like a record's, which the next put of it removes.
    private(set) var leftovers: [Identifier: [String]] = [:]

    /// How far ahead a number may be: others changed each of the records between meanwhile.
    private static let jump: UInt64 = 1 << 32

    /// The tree of a server without the team.
    ///
    /// - Parameter commit: The commit, nil if there is none.
    init(commit: String? = nil) {
        self.commit = commit
    }

    /// Reads a commit's names; files of other forms are none of ours.
    ///
    /// - Parameter forEachFile: Calls a function with each path.
    init(
        commit: String, team: Identifier,
        _ forEachFile: ((Span<UInt8>) -> Void) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let (records, roster) = (
            Array("\(team.text)/records/".utf8), Array("\(team.text)/roster/".utf8)
        )
        var tree = GitTree(commit: commit)
        var entries: Set<UInt64> = []
        try forEachFile { path in
            // A name in another form, such as with a line feed, could not be written as it is.
            var position = records.count + 3
            if GitTree.begins(path, with: records),
                let id = Identifier(digitsOf: path, at: position),
                path[position - 1] == UInt8(ascii: "/"), path[position - 3] == path[position],
                path[position - 2] == path[position + 1]
            {
                position += 2 * Identifier.size
                if let version = GitTree.number(in: path, &position, after: "."),
                    let sequence = GitTree.number(in: path, &position, after: "."),
                    position == path.count
                {
                    tree.add(id, version, sequence, team)
                }
                return
            }
            position = roster.count - 1
            if GitTree.begins(path, with: roster),
                let number = GitTree.number(in: path, &position, after: "/"),
                position == path.count
            {
                entries.insert(number)
            }
        }
        self = tree
        // What comes after a missing one, no entry followed.
        while entries.contains(rosterCount) {
            rosterCount += 1
        }
        if sequence > GitTree.jump {
            boundSequences()
        }
    }

    private static func begins(_ path: Span<UInt8>, with beginning: [UInt8]) -> Bool {
        path.count > beginning.count && beginning.indices.allSatisfy { path[$0] == beginning[$0] }
    }

    /// Returns a number as it is written after a sign, nil if there is none.
    private static func number(
        in path: Span<UInt8>, _ position: inout Int, after sign: Unicode.Scalar
    ) -> UInt64? {
        guard position < path.count, path[position] == UInt8(ascii: sign) else {
            return nil
        }
        position += 1
        let start = position
        var number: UInt64 = 0
        while position < path.count, path[position] != UInt8(ascii: ".") {
            let digit = path[position] &- UInt8(ascii: "0")
            let (tens, isLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isLarger) = tens.addingReportingOverflow(UInt64(digit))
            guard digit < 10, !isLarge, !isLarger, number > 0 || position == start else {
                return nil
            }
            number = sum
            position += 1
        }
        return position > start ? number : nil
    }

    private mutating func boundSequences() {
        sequence = records.values.map { $0.sequence }.sorted().reduce(0) { last, next in
            next - last > GitTree.jump ? last : next
        }
        early = records.filter { $0.value.sequence > sequence }.map { $0.key }.sorted()
        sequence += early.isEmpty ? 0 : 1
        for id in early {
            records[id]?.sequence = sequence
        }
    }

    static func path(
        of id: Identifier, version: UInt64, sequence: UInt64, team: Identifier
    ) -> String {
        "\(team.text)/records/\(id.text.prefix(2))/\(id.text).\(version).\(sequence)"
    }

    static func path(ofEntry number: UInt64, team: Identifier) -> String {
        "\(team.text)/roster/\(number)"
    }

    private mutating func add(
        _ id: Identifier, _ version: UInt64, _ sequence: UInt64, _ team: Identifier
    ) {
        let other = records[id]
        guard SyncLimits.isVersion(version),
            other.map({ ($0.version, $0.named) < (version, sequence) }) ?? true
        else {
            leftovers[id, default: []].append(
                GitTree.path(of: id, version: version, sequence: sequence, team: team))
            return
        }
        if let other {
            leftovers[id, default: []].append(other.path(of: id, team: team))
        }
        records[id] = Record(version: version, sequence: sequence, named: sequence)
        self.sequence = max(self.sequence, sequence)
    }

    var head: ServerHead {
        ServerHead(sequence: sequence, rosterCount: rosterCount)
    }

    /// Returns the names of what files contain.
    func contents(_ paths: [String]) -> [String] {
        paths.map { "\(commit ?? ""):\($0)" }
    }
}

/// A commit in the making. The corresponding format is that of git-fast-import(1).
struct GitCommit {
    private(set) var stream: [UInt8] = []
    /// Whether it changes a file.
    private(set) var hasChanges = false
    private let team: Identifier
    private let sequence: UInt64

    /// Begins a commit on top of a tree. It names no user: the server sees who logs in, and no more.
    init(on tree: GitTree, team: Identifier, date: Timestamp) throws(KeychainError) {
        self.team = team
        sequence = tree.sequence + 1
        add("commit \(GitRepository.next)\n")
        add("committer Lanyard <lanyard@localhost> \(date.secondsSinceEpoch) +0000\n")
        // Two machines that make the same change at once make two commits: one of them is a conflict.
        let message = "Change \(Hexadecimal.encode(try RandomBytes.make(16)))\n"
        add("data \(message.utf8.count)\n\(message)")
        if let commit = tree.commit {
            add("from \(commit)\n")
        }
    }

    /// Stores records that the tree has in these versions.
    mutating func put(_ puts: [ServerRecord], over tree: GitTree) {
        for put in puts {
            let known = tree.records[put.id]?.path(of: put.id, team: team)
            for path in (tree.leftovers[put.id] ?? []) + (known.map { [$0] } ?? []) {
                add("D \(path)\n")
            }
            file(
                GitTree.path(of: put.id, version: put.version + 1, sequence: sequence, team: team),
                put.content)
        }
        let ids = Set(puts.map { $0.id })
        for id in tree.early where !ids.contains(id) {
            if let record = tree.records[id] {
                let path = GitTree.path(
                    of: id, version: record.version, sequence: sequence, team: team)
                add("R \(record.path(of: id, team: team)) \(path)\n")
            }
        }
    }

    mutating func put(entry: [UInt8], number: UInt64) {
        file(GitTree.path(ofEntry: number, team: team), entry)
    }

    /// Ends the commit.
    mutating func finish() {
        add("done\n")
    }

    private mutating func file(_ path: String, _ content: [UInt8]) {
        hasChanges = true
        add("M 100644 inline \(path)\ndata \(content.count)\n")
        stream += content
        add("\n")
    }

    private mutating func add(_ text: String) {
        stream += Array(text.utf8)
    }
}
