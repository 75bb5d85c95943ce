internal import LinuxSystem
package import LanyardSecrets
package import SyncEngine

/// A branch `lanyard` of a git repository as a team's server: any host of git repositories will do.
///
/// The user's own git does the work, in a private bare repository that can be made again. A put is one commit, and
/// the server refuses a push on top of an older one, which is a conflict. The history never forgets: a deleted item
/// stays there, sealed.
package final class GitTransport: SyncServer {
    package var timeLimit: Int64 = 20_000
    private let address: GitAddress
    private let team: Identifier
    private let folder: String
    private var repository: GitRepository?
    /// What was last seen on the server.
    private var tree: GitTree?

    /// Creates a transport; git is not started yet.
    ///
    /// - Throws: ``Status/param`` for an address that can't be used.
    package init(_ address: consuming SyncAddress) throws(KeychainError) {
        self.address = try GitAddress(address.address)
        team = address.team
        folder = address.folder
    }

    /// Checks that the repository can be reached: the first push makes the branch.
    package func create() throws(KeychainError) {
        _ = try head()
    }

    package func head() throws(KeychainError) -> ServerHead {
        try work { repository, deadline throws(KeychainError) in
            try newest(repository, deadline).head
        }
    }

    package func changes(since head: ServerHead) throws(KeychainError) -> ServerChanges {
        try work { repository, deadline throws(KeychainError) in
            let tree = try newest(repository, deadline)
            let entries = tree.contents(
                (min(head.rosterCount, tree.rosterCount)..<tree.rosterCount).map {
                    GitTree.path(ofEntry: $0, team: team)
                })
            let later = tree.records.filter { $0.value.sequence > head.sequence }
                .sorted { $0.value.sequence < $1.value.sequence }
            // Their sizes are asked for only if they are few enough.
            let few = Array(SyncPiece.first(of: later) { ($0.value.sequence, 0) })
            let blobs = tree.contents(few.map { $0.value.path(of: $0.key, team: team) })
            let sizes = try repository.sizes(of: entries + blobs, until: deadline)
            let roster = try repository.contents(
                of: zip(entries, sizes).map { ($0, $1) }, until: deadline)
            let changed = SyncPiece.first(of: Array(zip(few, sizes.dropFirst(entries.count)))) {
                // No more is read of a larger one.
                ($0.0.value.sequence, min($0.1, SyncLimits.givenSize))
            }
            let contents = try repository.contents(
                of: zip(blobs, changed).map { ($0, $1.1) }, until: deadline)
            var records: [ServerRecord] = []
            for (((id, record), _), content) in zip(changed, contents) {
                records.append(ServerRecord(id: id, version: record.version, content: content))
            }
            return ServerChanges(
                upTo: changed.last?.0.value.sequence, of: tree.head, roster: roster,
                records: records)
        }
    }

    package func record(_ id: Identifier) throws(KeychainError) -> ServerRecord? {
        try work { repository, deadline throws(KeychainError) in
            let tree = try newest(repository, deadline)
            guard let record = tree.records[id] else {
                return nil
            }
            let blob = tree.contents([record.path(of: id, team: team)])
            let size = try repository.sizes(of: blob, until: deadline)[0]
            let content = try repository.contents(of: [(blob[0], size)], until: deadline)
            return ServerRecord(id: id, version: record.version, content: content[0])
        }
    }

    package func put(
        _ records: [ServerRecord], rosterCount: UInt64
    ) throws(KeychainError) -> PutResult {
        try change { tree, commit in
            guard rosterCount == tree.rosterCount,
                Set(records.map { $0.id }).count == records.count,
                records.allSatisfy({ tree.records[$0.id]?.version ?? 0 == $0.version })
            else {
                return .conflict
            }
            if !records.isEmpty {
                commit.put(records, over: tree)
            }
            return .stored
        }
    }

    package func putRoster(
        _ entry: [UInt8], at head: ServerHead
    ) throws(KeychainError) -> PutResult {
        try change { tree, commit in
            guard head == tree.head else {
                return .conflict
            }
            commit.put(entry: entry, number: tree.rosterCount)
            return .stored
        }
    }

    // MARK: Work in the repository

    private func change(
        _ body: (GitTree, inout GitCommit) -> PutResult
    ) throws(KeychainError) -> PutResult {
        try work { repository, deadline throws(KeychainError) in
            // Mostly nothing has changed since the last operation; if something has, the server refuses the push.
            let known = tree
            var base =
                switch known {
                case let known?: known
                case nil: try newest(repository, deadline)
                }
            var commit = try GitCommit(on: base, team: team, date: SystemCalls.now())
            if body(base, &commit) == .conflict {
                guard known != nil else {
                    return .conflict
                }
                base = try newest(repository, deadline)
                commit = try GitCommit(on: base, team: team, date: SystemCalls.now())
                guard body(base, &commit) == .stored else {
                    return .conflict
                }
            }
            guard commit.hasChanges else {
                return .stored
            }
            commit.finish()
            try repository.commit(commit.stream, until: deadline)
            tree = nil
            return try repository.push(until: deadline) ? .stored : .conflict
        }
    }

    /// Returns what the server has.
    private func newest(
        _ repository: GitRepository, _ deadline: Deadline
    ) throws(KeychainError) -> GitTree {
        guard var commit = try repository.remoteCommit(until: deadline) else {
            tree = GitTree()
            return GitTree()
        }
        if let tree, tree.commit == commit {
            return tree
        }
        let here = try repository.commits(until: deadline)
        if !here.contains(commit) {
            commit = try repository.fetch(isFirst: here.isEmpty, until: deadline)
        }
        let tree = try GitTree(commit: commit, team: team) { body throws(KeychainError) in
            try repository.forEachFile(of: commit, in: team.text, until: deadline, body)
        }
        self.tree = tree
        return tree
    }

    /// Does something in the repository, which one process uses at a time.
    private func work<Result>(
        _ body: (GitRepository, Deadline) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let deadline = Deadline(milliseconds: timeLimit)
        let place = try PinnedFolder(folder, makesMissing: true)
        guard let lock = try place.lock("git.lock", until: deadline) else {
            throw KeychainError(
                .notAvailable, "another program exchanges the team's changes with the git server",
                hint: "try again in a minute")
        }
        defer { extendLifetime(lock) }
        let known =
            switch self.repository {
            case let repository?: repository
            case nil: try GitRepository(folder, address, until: deadline)
            }
        do throws(KeychainError) {
            return try work(in: known, deadline, body)
        } catch {
            guard known.mayBeDamaged else {
                throw error
            }
        }
        // It has nothing that the server does not have: what is to be stored comes from the replica.
        PrivatePlace.removeFolder(known.path)
        return try work(in: GitRepository(folder, address, until: deadline), deadline, body)
    }

    private func work<Result>(
        in repository: GitRepository, _ deadline: Deadline,
        _ body: (GitRepository, Deadline) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        self.repository = repository
        do throws(KeychainError) {
            repository.removeLeftovers()
            return try body(repository, deadline)
        } catch {
            self.repository = nil
            tree = nil
            throw error
        }
    }
}
