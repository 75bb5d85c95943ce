internal import LinuxSystem
internal import Secrets
internal import SyncEngine

/// What a commit has of a team: one file for each record and for each entry of the roster. Their names say
/// everything but the contents: `records/ab/ID.VERSION.SEQUENCE`, `roster/NUMBER`.
struct GitTree {
    /// A record's file.
    struct Record {
        let version: UInt64
        let sequence: UInt64
        let blob: String
    }

    /// The commit, nil if there is none.
    let commit: String?
    private(set) var records: [Identifier: Record] = [:]
    /// The names of the contents of the roster's entries, in order.
    private(set) var roster: [String] = []
    private(set) var sequence: UInt64 = 0

    /// The tree of a server without the team.
    init() {
        commit = nil
    }

    /// Reads a commit's names; files of other forms are none of ours.
    ///
    /// - Throws: ``Status/decode`` for two files of one record, or a missing entry.
    init(
        commit: String, _ files: [(path: String, blob: String)], team: Identifier
    ) throws(KeychainError) {
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
                guard entries.updateValue(blob, forKey: number) == nil else {
                    throw GitTree.damaged
                }
            } else if parts.count == 4, parts[1] == "records" {
                try add(parts[3], path, blob, team)
            }
        }
        for number in 0..<UInt64(entries.count) {
            guard let blob = entries[number] else {
                throw GitTree.damaged
            }
            roster.append(blob)
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

    private static let damaged = KeychainError(
        .decode, "the team's git branch has files that contradict each other",
        hint: "see who pushed to the branch lanyard")

    private mutating func add(
        _ name: Substring, _ path: String, _ blob: String, _ team: Identifier
    ) throws(KeychainError) {
        let fields = name.split(separator: ".", omittingEmptySubsequences: false)
        guard fields.count == 3, let id = Identifier(String(fields[0])),
            let version = UInt64(fields[1]), let sequence = UInt64(fields[2]), version > 0,
            version < UInt64(Int64.max), sequence < UInt64(Int64.max),
            path == GitTree.path(of: id, version: version, sequence: sequence, team: team)
        else {
            return
        }
        let record = Record(version: version, sequence: sequence, blob: blob)
        guard records.updateValue(record, forKey: id) == nil else {
            throw GitTree.damaged
        }
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

    mutating func put(_ put: ServerRecord, over record: GitTree.Record?) {
        if let record {
            let path = GitTree.path(
                of: put.id, version: record.version, sequence: record.sequence, team: team)
            add("D \(path)\n")
        }
        file(
            GitTree.path(of: put.id, version: put.version + 1, sequence: sequence, team: team),
            put.content)
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
