internal import LinuxSystem
internal import KeychainPlugin
internal import LanyardSecrets
internal import SyncEngine

/// A bare repository of ours, in which the user's git works for us. Its content can be made again.
final class GitRepository {
    private let git: String
    /// The path of the folder.
    let path: String
    private let address: GitAddress
    /// Options that give git our helper, if the user has none.
    private var credential: [String] = []
    /// Whether something failed that a damaged copy explains.
    private(set) var mayBeDamaged = false

    /// The branch on the server.
    static let branch = "refs/heads/lanyard"
    /// The last commit seen there.
    private static let seen = "refs/lanyard/seen"
    /// The commit to push.
    static let next = "refs/lanyard/next"
    /// The bytes that one git may write, and of contents that it is asked for at once.
    private static let outputLimit = 64 << 20
    private static let batchSize = 32 << 20

    /// Creates the repository, if it is missing. The caller has the lock.
    init(_ folder: String, _ address: GitAddress, until deadline: Deadline) throws(KeychainError) {
        guard let git = ProgramRun.find("git") else {
            throw KeychainError(
                .notAvailable, "git is not installed", hint: "install it: apt install git")
        }
        self.git = git
        self.address = address
        path = "\(folder)/git"
        if try PinnedFolder(path, makesMissing: true).status(of: "HEAD") == nil {
            // Such as a part of a copy.
            PrivatePlace.removeFolder(path)
            _ = try PinnedFolder(path, makesMissing: true)
            let run = try run(
                ["init", "--quiet", "--bare", "--object-format=sha1", "--template=", path],
                until: deadline)
            try check(run)
        }
        if address.text.contains("://") {
            let helper = try run(
                ["config", "--get-urlmatch", "credential.helper", address.text], until: deadline)
            if helper.status != 0, let own = Installation()?.command("git-credential-lanyard") {
                credential = ["-c", "credential.helper=!\(own.shellQuoted)"]
            }
        }
    }

    /// Removes locks that a killed git left. The caller has the lock, so no other git is at work.
    func removeLeftovers() {
        let refs = "\(path)/refs/lanyard"
        for lock in ["\(refs)/seen.lock", "\(refs)/next.lock", "\(path)/packed-refs.lock"] {
            try? SystemCalls.unlink(lock)
        }
    }

    // MARK: Commands

    /// Runs git in the repository.
    func run(
        _ arguments: [String], input: [UInt8] = [], until deadline: Deadline
    ) throws(KeychainError) -> ProgramRun {
        // Nothing that the user configured may run in between, but what a connection needs.
        let options = [
            "core.hooksPath=/dev/null", "core.fsmonitor=false", "gc.autoDetach=false",
            "core.logAllRefUpdates=false", "protocol.ext.allow=never", "core.askPass=",
            "push.gpgSign=false", "push.followTags=false", "push.recurseSubmodules=no",
            "fetch.recurseSubmodules=false", "fetch.writeCommitGraph=false",
            // Else a git that is killed leaves a part of what it gets, which looks like all of it.
            "fetch.unpackLimit=1", "core.sharedRepository=umask",
            // Larger ones are none of ours: git passes them on without holding them in memory.
            "core.bigFileThreshold=8m",
        ]
        return try ProgramRun(
            git,
            ["--git-dir=\(path)"] + options.flatMap { ["-c", $0] } + credential + arguments,
            input: input.span,
            variables: [
                "GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "https:http:ssh:file",
                "SSH_ASKPASS_REQUIRE": "never", "LC_ALL": "C", "LANGUAGE": "",
                // What a server sends compressed may be far larger. On this machine git is the server, too.
                "GIT_ALLOC_LIMIT": address.isOnThisMachine ? "0" : "128m",
            ],
            withheld: [
                "GIT_DIR=", "GIT_WORK_TREE=", "GIT_INDEX_FILE=", "GIT_OBJECT_DIRECTORY=",
                "GIT_ALTERNATE_OBJECT_DIRECTORIES=", "GIT_COMMON_DIR=", "GIT_NAMESPACE=",
                "GIT_CONFIG=", "GIT_CONFIG_PARAMETERS=", "GIT_CONFIG_COUNT=", "GIT_ASKPASS=",
                "GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_TRACE", "GIT_CURL_VERBOSE=",
                "GIT_REDIRECT_", "GIT_PREFIX=", "GIT_EXTERNAL_DIFF=", "GIT_TEMPLATE_DIR=",
                "GIT_SHALLOW_FILE=", "GIT_GRAFT_FILE=", "GIT_REPLACE_REF_BASE=",
                "GIT_QUARANTINE_PATH=", "GIT_PUSH_OPTION",
            ], outputLimit: GitRepository.outputLimit, until: deadline)
    }

    /// Returns the commit of the branch on the server, nil if there is no such branch.
    func remoteCommit(until deadline: Deadline) throws(KeychainError) -> String? {
        let run = try run(
            ["ls-remote", "--refs", "--", address.text, GitRepository.branch], until: deadline)
        if run.status != 0 {
            try check(try self.run(["rev-parse", "--git-dir"], until: deadline))
        }
        try checkConnection(run)
        let line = String(decoding: run.output, as: UTF8.self)
            .split(separator: "\n").first { $0.hasSuffix("\t\(GitRepository.branch)") }
        guard let line else {
            return nil
        }
        return try GitRepository.objectName(line.prefix { $0 != "\t" })
    }

    /// Gets the branch's commits.
    ///
    /// - Parameter isFirst: Whether none is here: then only the newest one, for the history may be long.
    /// - Returns: The newest one.
    func fetch(isFirst: Bool, until deadline: Deadline) throws(KeychainError) -> String {
        let depth = isFirst ? ["--depth=1"] : []
        let run = try run(
            ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"] + depth + [
                "--", address.text, "+\(GitRepository.branch):\(GitRepository.seen)",
            ], until: deadline)
        // The server has just answered, but git also reads what is here.
        try checkConnection(run, readsCopy: true)
        let name = try self.run(
            ["rev-parse", "--verify", "\(GitRepository.seen)^{commit}"], until: deadline)
        try check(name)
        return try GitRepository.objectName(
            String(decoding: name.output, as: UTF8.self).prefix { $0 != "\n" })
    }

    /// Returns the commits that are here with their files: git names one when it has all of it.
    func commits(until deadline: Deadline) throws(KeychainError) -> [String] {
        let run = try run(
            ["for-each-ref", "--format=%(objectname)", "refs/lanyard/"], until: deadline)
        try check(run)
        return String(decoding: run.output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Calls a function with the path of each file in a folder of a commit.
    func forEachFile(
        of commit: String, in folder: String, until deadline: Deadline,
        _ body: (_ path: Span<UInt8>) -> Void
    ) throws(KeychainError) {
        let run = try run(
            ["ls-tree", "-r", "-z", "--full-tree", commit, "--", "\(folder)/"], until: deadline)
        try check(run)
        run.output.withBytes { output in
            var start = 0
            while let end = output.firstIndex(of: 0, from: start) {
                let line = output.extracting(start..<end)
                // Links and other repositories are no files of ours.
                if line.starts(with: "100644 blob "),
                    let tab = line.firstIndex(of: UInt8(ascii: "\t"))
                {
                    body(line.extracting(droppingFirst: tab + 1))
                }
                start = end + 1
            }
        }
    }

    /// Returns the sizes of files in bytes.
    ///
    /// - Parameter blobs: A commit and the path of each there, with a colon between.
    func sizes(of blobs: [String], until deadline: Deadline) throws(KeychainError) -> [Int] {
        guard !blobs.isEmpty else {
            return []
        }
        let run = try run(
            ["cat-file", "--batch-check=%(objectsize)"],
            input: Array(blobs.map { "\($0)\n" }.joined().utf8), until: deadline)
        try check(run)
        let sizes = String(decoding: run.output, as: UTF8.self).split(separator: "\n")
            .compactMap { Int($0) }
        guard sizes.count == blobs.count else {
            throw damaged
        }
        return sizes
    }

    /// Returns the contents of files with known sizes, empty ones in place of those that are not read:
    /// ``SyncLimits/areRead(_:)``.
    func contents(
        of files: [(blob: String, size: Int)], until deadline: Deadline
    ) throws(KeychainError) -> [[UInt8]] {
        var contents: [[UInt8]] = []
        var (batch, size) = ([String](), 0)
        let areRead = SyncLimits.areRead(files.lazy.map { $0.size })
        for (file, isRead) in zip(files, areRead) {
            if !batch.isEmpty, !isRead || size + file.size > GitRepository.batchSize {
                contents += try self.contents(of: batch, until: deadline)
                (batch, size) = ([], 0)
            }
            if isRead {
                batch.append(file.blob)
                size += file.size
            } else {
                contents.append([])
            }
        }
        return try contents + self.contents(of: batch, until: deadline)
    }

    private func contents(
        of blobs: [String], until deadline: Deadline
    ) throws(KeychainError) -> [[UInt8]] {
        guard !blobs.isEmpty else {
            return []
        }
        let names = blobs.map { "\($0)\n" }.joined()
        let run = try run(
            ["cat-file", "--batch"], input: Array(names.utf8), until: deadline)
        try check(run)
        var contents: [[UInt8]] = []
        var position = 0
        for _ in blobs {
            let feed = run.output[position...].firstIndex(of: UInt8(ascii: "\n"))
            let fields = String(decoding: run.output[position..<(feed ?? position)], as: UTF8.self)
                .split(separator: " ")
            guard let feed, fields.count == 3, fields[1] == "blob", let size = Int(fields[2]),
                size >= 0, size < run.output.count - feed - 1
            else {
                throw damaged
            }
            let content = run.output[(feed + 1)..<(feed + 1 + size)]
            contents.append(content.withBytes { ByteString(copying: $0).bytes })
            position = feed + 1 + size + 1
        }
        return contents
    }

    /// Makes a commit and its files. The corresponding format is that of git-fast-import(1).
    func commit(_ stream: [UInt8], until deadline: Deadline) throws(KeychainError) {
        try check(
            try run(
                ["fast-import", "--quiet", "--force", "--done"], input: stream, until: deadline))
    }

    /// Pushes the commit.
    ///
    /// - Returns: Whether the server took it; false if its branch changed meanwhile.
    func push(until deadline: Deadline) throws(KeychainError) -> Bool {
        let run = try run(
            [
                "push", "--porcelain", "--no-verify", "--", address.text,
                "\(GitRepository.next):\(GitRepository.branch)",
            ], until: deadline)
        let lines = String(decoding: run.output, as: UTF8.self).split(separator: "\n")
        guard let refusal = lines.first(where: { $0.hasPrefix("!\t") }) else {
            if run.status != 0 {
                let objects = ["rev-list", "--objects", "--quiet", GitRepository.next]
                try check(try self.run(objects, until: deadline))
            }
            try checkConnection(run)
            // What was pushed is what was seen last.
            _ = try self.run(
                ["update-ref", GitRepository.seen, GitRepository.next], until: deadline)
            return true
        }
        let races = [
            "fetch first", "non-fast-forward", "stale info", "cannot lock ref",
            "failed to update ref", "incorrect old value", "reference already exists",
            "failed to lock", "unable to lock",
        ]
        let words = "\(refusal) \(run.errorLines.joined(separator: " "))"
        guard !races.contains(where: words.contains) else {
            return false
        }
        throw refused(run, refusal.drop { $0 != "[" })
    }

    // MARK: Errors

    private static func objectName(_ text: Substring) throws(KeychainError) -> String {
        guard [40, 64].contains(text.utf8.count), Hexadecimal.decode(text.utf8) != nil else {
            throw KeychainError(.decode, "git answered with an invalid name of an object")
        }
        return String(text)
    }

    private var damaged: KeychainError {
        mayBeDamaged = true
        return KeychainError(
            .notAvailable, "the local copy of the team's git repository is damaged",
            hint: "see what is wrong: \(fsck)")
    }

    private var fsck: String { "git --git-dir=\(path.shellQuoted) fsck" }

    /// Throws for a failed command that needs no connection.
    private func check(_ run: ProgramRun) throws(KeychainError) {
        guard run.status != 0 else {
            return
        }
        let words = run.errorLines.last ?? "status \(run.status)"
        if words.contains("No space left") {
            throw KeychainError(.diskFull, "git can't write '\(path)': \(words)")
        }
        mayBeDamaged = true
        throw KeychainError(
            .notAvailable, "git can't use the local copy of the team's repository: \(words)",
            hint: "see what is wrong: \(fsck)")
    }

    /// Throws for a failed command that needs one.
    ///
    /// - Parameter readsCopy: Whether the command also fails if the local copy is damaged.
    private func checkConnection(
        _ run: ProgramRun, readsCopy: Bool = false
    ) throws(KeychainError) {
        guard run.status != 0 else {
            return
        }
        let lines = run.errorLines
        let all = lines.joined(separator: "\n")
        let refusals = [
            "Authentication failed", "could not read Username", "could not read Password",
            "Permission denied", "returned error: 403", "Host key verification failed",
        ]
        let words =
            lines.first { $0.hasPrefix("fatal: ") || $0.hasPrefix("remote: ") }
            ?? lines.last ?? "status \(run.status)"
        let hint = "git ls-remote \(address.text.shellQuoted)"
        if refusals.contains(where: all.contains) {
            throw KeychainError(
                .authFailed, "the git server refused the login for '\(address.text)'",
                hint: address.loginCommand ?? hint)
        }
        if all.contains("No space left") {
            throw KeychainError(.diskFull, "git can't write: \(words)")
        }
        mayBeDamaged = readsCopy
        // Such as "fatal: early EOF", after a word of the server's own git about its repository.
        if all.contains("on the remote side") || readsCopy && all.contains("remote: ") {
            throw unusableServer("can't send the team's items", run)
        }
        throw KeychainError(
            .notAvailable, "git can't reach '\(address.text)': \(words)", hint: hint)
    }

    /// Returns the error for a push that the server did not take.
    private func refused(_ run: ProgramRun, _ reason: Substring) -> KeychainError {
        let all = run.errorLines.joined(separator: "\n")
        if ["No space left", "quota exceeded"].contains(where: all.contains) {
            return KeychainError(
                .diskFull, "the git server has no space left for the team's changes",
                hint: "make room on the server")
        }
        let failures = [
            "unpack", "missing necessary objects", "unable to migrate", "failed to write",
            "remote failure", "bad object", "shallow update",
        ]
        if failures.contains(where: "\(reason)\n\(all)".contains) {
            return unusableServer("can't store the team's items", run)
        }
        return KeychainError(
            .writePermissions, "the git server refused the push: \(reason)",
            hint: "allow pushes to the branch lanyard")
    }

    /// Returns the error for a server whose own git fails.
    private func unusableServer(_ what: String, _ run: ProgramRun) -> KeychainError {
        let lines = run.errorLines
        let words =
            lines.first { $0.hasPrefix("remote: ") && saysWhy($0) }
            ?? lines.first { saysWhy($0) } ?? lines.last ?? "status \(run.status)"
        return KeychainError(
            .notAvailable, "the git server \(what): \(words)",
            hint: "see on the server what is wrong with the repository: git fsck")
    }
}

private func saysWhy(_ line: String) -> Bool { line.contains("fatal") || line.contains("error") }
