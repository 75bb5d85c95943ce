internal import LinuxSystem
internal import Secrets
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
        let blob: String
        /// The number in the file's name.
        fileprivate let named: UInt64

        fileprivate func path(of id: Identifier, team: Identifier) -> String {
            GitTree.path(of: id, version: version, sequence: named, team: team)
        }
    }

    /// The commit, nil if there is none.
    let commit: String?
    private(set) var records: [Identifier: Record] = [:]
    /// The names of the contents of the roster's entries, in order.
    private(set) var roster: [String] = []
    private(set) var sequence: UInt64 = 0
    /// The records whose numbers are too far ahead: they count as changed last, and the next put gives them its number.
    private(set) var early: [Identifier] = []
    /// Other files that look like a record's, which the next put of it removes.
    private(set) var leftovers: [Identifier: [String]] = [:]

    /// How far ahead a number may be: others changed each of the records between meanwhile.
    private static let jump: UInt64 = 1 << 32

    /// The tree of a server without the team.
    init() {
        commit = nil
    }

    /// Reads a commit's names; files of other forms are none of ours.
    init(commit: String, _ files: [(path: String, blob: String)], team: Identifier) {
        self.commit = commit
        var entries: [UInt64: String] = [:]
        for (path, blob) in files {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.first == Substring(team.text) else {
                continue
            }
            // A name in another form, such as with a line feed, could not be written as it is.
            if parts.count == 3, parts[1] == "roster", let number = UInt64(parts[2]),
                path == GitTree.path(ofEntry: number, team: team)
            {
                entries[number] = blob
            } else if parts.count == 4, parts[1] == "records" {
                add(parts[3], path, blob, team)
            }
        }
        // What comes after a missing one, no entry followed.
        while let blob = entries[UInt64(roster.count)] {
            roster.append(blob)
        }
        if sequence > GitTree.jump {
            boundSequences()
        }
    }

    private mutating func boundSequences() {
        sequence = records.values.map(\.sequence).sorted().reduce(0) { last, next in
            next - last > GitTree.jump ? last : next
        }
        early = records.filter { $0.value.sequence > sequence }.map(\.key).sorted()
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
        _ name: Substring, _ path: String, _ blob: String, _ team: Identifier
    ) {
        let fields = name.split(separator: ".", omittingEmptySubsequences: false)
        guard fields.count == 3, let id = Identifier(String(fields[0])),
            let version = UInt64(fields[1]), let sequence = UInt64(fields[2]),
            path == GitTree.path(of: id, version: version, sequence: sequence, team: team)
        else {
            return
        }
        let other = records[id]
        guard SyncLimits.isVersion(version),
            other.map({ ($0.version, $0.named) < (version, sequence) }) ?? true
        else {
            leftovers[id, default: []].append(path)
            return
        }
        if let other {
            leftovers[id, default: []].append(other.path(of: id, team: team))
        }
        records[id] = Record(version: version, sequence: sequence, blob: blob, named: sequence)
        self.sequence = max(self.sequence, sequence)
    }

    var head: ServerHead {
        ServerHead(sequence: sequence, rosterCount: UInt64(roster.count))
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
        let ids = Set(puts.map(\.id))
        for id in tree.early where !ids.contains(id) {
            if let record = tree.records[id] {
                let path = GitTree.path(
                    of: id, version: record.version, sequence: sequence, team: team)
                add("D \(record.path(of: id, team: team))\nM 100644 \(record.blob) \(path)\n")
            }
        }
    }

    mutating func put(entry: [UInt8], number: Int) {
        file(GitTree.path(ofEntry: UInt64(number), team: team), entry)
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
