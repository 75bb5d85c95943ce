internal import KeychainServices
internal import PlainTextScan
internal import ToolSetup

/// The files that are staged in the git repository of the current folder.
struct StagedFiles {
    private struct File {
        let path: ByteString
        let object: String
    }

    private let environment: SetupEnvironment
    /// The bytes of the largest file that is searched: 64 MiB, as git prints files into memory.
    static let sizeLimit = 64 << 20
    /// How many bytes of files git prints in one call.
    private static let pieceSize = sizeLimit
    private static let timeLimit: Int64 = 60_000

    init(_ environment: SetupEnvironment) {
        self.environment = environment
    }

    /// Searches the staged files.
    ///
    /// - Throws: ``Status/notAvailable`` without git, or if it does not answer in time; ``Status/param``
    ///   with git's own words, such as outside of a repository.
    func scan(
        _ search: SecretSearch, _ counts: inout ScanCounts
    ) throws(KeychainError) -> [ScanFinding] {
        let files = try files()
        let sizes = try sizes(of: files)
        var findings: [ScanFinding] = []
        var piece: [File] = []
        var size = 0
        for (file, bytes) in zip(files, sizes) {
            guard let bytes else {
                counts.unreadable.append(file.path)
                continue
            }
            guard bytes <= StagedFiles.sizeLimit else {
                counts.tooLarge.append(file.path)
                continue
            }
            if size + bytes > StagedFiles.pieceSize {
                findings += try scan(piece, search, &counts)
                piece = []
                size = 0
            }
            piece.append(file)
            size += bytes
        }
        return try findings + scan(piece, search, &counts)
    }

    /// Returns the staged files that are not deleted, in git's order.
    private func files() throws(KeychainError) -> [File] {
        // Outside of a repository, `git diff` has other options, and complains about ours.
        _ = try git(["rev-parse", "--git-dir"])
        let list = try git([
            "-c", "core.fsmonitor=", "diff", "--cached", "--raw", "-z", "--no-renames",
            "--no-relative", "--no-abbrev", "--no-ext-diff", "--ignore-submodules",
        ])
        var files: [File] = []
        let parts = list.split(separator: 0, omittingEmptySubsequences: false)
        for index in stride(from: 0, to: parts.count - 1, by: 2) {
            // :100644 100644 OLD NEW M
            let words = parts[index].split(separator: UInt8(ascii: " "))
            let isModule = words.count > 1 && words[1].elementsEqual("160000".utf8)
            guard words.count == 5, !isModule,
                words[3].contains(where: { $0 != UInt8(ascii: "0") })
            else {
                continue
            }
            files.append(
                File(
                    path: ByteString(Array(parts[index + 1])),
                    object: String(decoding: words[3], as: UTF8.self)))
        }
        return files
    }

    /// Returns the size of each file, nil if the repository lacks it.
    private func sizes(of files: [File]) throws(KeychainError) -> [Int?] {
        guard !files.isEmpty else {
            return []
        }
        let answer = try git(
            ["cat-file", "--batch-check=%(objectsize)"], input: StagedFiles.names(of: files))
        let lines = answer.split(separator: 0x0A)
        guard lines.count == files.count else {
            throw StagedFiles.invalidAnswer
        }
        return lines.map { Int(String(decoding: $0, as: UTF8.self)) }
    }

    private func scan(
        _ files: [File], _ search: SecretSearch, _ counts: inout ScanCounts
    ) throws(KeychainError) -> [ScanFinding] {
        guard !files.isEmpty else {
            return []
        }
        let answer = try git(
            ["cat-file", "--batch=%(objectsize)"], input: StagedFiles.names(of: files))
        var findings: [ScanFinding] = []
        var rest = answer
        for file in files {
            guard let end = rest.firstIndex(of: 0x0A),
                let size = Int(String(decoding: rest[..<end], as: UTF8.self)),
                end + 1 + size < rest.endIndex
            else {
                throw StagedFiles.invalidAnswer
            }
            let bytes = rest[(end + 1)..<(end + 1 + size)]
            rest = rest[(end + size + 2)...]
            counts.files += 1
            counts.bytes += size
            let found = bytes.withBytes { bytes in
                let matches = search.matches(in: bytes, limit: FileScan.matchLimit)
                return StagedFiles.withLines(matches, in: bytes)
            }
            if found.count >= FileScan.matchLimit {
                counts.cutShort.append(file.path)
            }
            findings += ScanFinding.copies(in: file.path, found)
        }
        return findings
    }

    private static func withLines(
        _ matches: [SecretSearch.Match], in bytes: Span<UInt8>
    ) -> [(line: Int, match: SecretSearch.Match)] {
        var line = 1
        var index = 0
        return matches.sorted { $0.offset < $1.offset }.map { match in
            while index < match.offset {
                line += bytes[index] == 0x0A ? 1 : 0
                index += 1
            }
            return (line, match)
        }
    }

    private static func names(of files: [File]) -> FileBytes {
        FileBytes(files.map { "\($0.object)\n" }.joined())
    }

    private static let invalidAnswer = KeychainError(
        .notAvailable, "git's answer can't be read", hint: "update git")

    private func git(
        _ arguments: [String], input: FileBytes = ""
    ) throws(KeychainError) -> FileBytes {
        let git = ForeignProgram(
            "git", environment, timeLimit: StagedFiles.timeLimit,
            outputLimit: StagedFiles.pieceSize + (8 << 20))
        // A partial clone must not ask its server.
        let answer = try git.run(
            arguments, input: input,
            variables: ["GIT_NO_LAZY_FETCH": "1", "GIT_TRACE": nil, "GIT_TRACE2": nil])
        guard answer.succeeded else {
            let complaint = answer.firstComplaint ?? "it failed"
            throw KeychainError(.param, "git can't show what is staged: \(complaint)")
        }
        return answer.output
    }
}
