internal import Glibc
internal import LinuxSystem
internal import PlainTextFormats
internal import LanyardSecrets
internal import ToolCatalog

extension KnownFile {
    /// The bytes of the largest file that is read.
    private static let sizeLimit = 16 << 20

    /// Returns the findings in those of the files that exist at or below the paths, links resolved.
    ///
    /// - Parameters:
    ///   - home: The folder of relative paths.
    ///   - counts: Gets the files that can't be read.
    package static func findings(
        in files: [KnownFile], home: String, at paths: [String], _ counts: inout ScanCounts
    ) -> [ScanFinding] {
        var findings: [ScanFinding] = []
        // Two tools may use one file.
        var linesOfFile: [String: Set<Int>] = [:]
        for file in files.flatMap({ $0.single(below: home) }) {
            let path = file.path(below: home)
            guard let real = file.realPath(below: home, at: paths) else {
                continue
            }
            do throws(SystemCallError) {
                guard let text = try KnownFile.text(real) else {
                    continue
                }
                var lines: [Int] = []
                text.withBytes { text in
                    file.forEachSecret(in: text) { line in
                        if linesOfFile[real, default: []].insert(line).inserted {
                            lines.append(line)
                        }
                    }
                }
                findings += lines.map {
                    ScanFinding(file: ByteString(path), line: $0, kind: .toolFile(file))
                }
            } catch {
                if !counts.unreadable.contains(ByteString(path)) {
                    counts.unreadable.append(ByteString(path))
                }
            }
        }
        return findings
    }

    /// Whether the file exists at or below one of the paths, links resolved.
    package func isThere(home: String, at paths: [String]) -> Bool {
        realPath(below: home, at: paths) != nil
    }

    /// Returns the single files that its path means.
    private func single(below home: String) -> [KnownFile] {
        let path = path(below: home)
        let paths = PinnedFolder.files(path)
        return paths == [path] ? [self] : paths.map { KnownFile(tool, $0, content) }
    }

    private func path(below home: String) -> String {
        path.hasPrefix("/") ? path : "\(home)/\(path)"
    }

    private func realPath(below home: String, at paths: [String]) -> String? {
        guard let real = SystemCalls.realPath(path(below: home)) else {
            return nil
        }
        let isWanted = paths.compactMap(SystemCalls.realPath).contains {
            $0 == "/" || real == $0 || real.hasPrefix("\($0)/")
        }
        return isWanted ? real : nil
    }

    /// Returns the bytes of a regular file, nil for anything else and for a large file.
    private static func text(_ path: String) throws(SystemCallError) -> Secret? {
        let file = Descriptor(owning: try SystemCalls.openForReading(path))
        let status = try SystemCalls.status(of: file.number)
        guard status.kind == .file, status.size <= sizeLimit else {
            return nil
        }
        // Safe: the call writes within the memory, and returns how much.
        return unsafe try Secret(capacity: status.size) { memory throws(SystemCallError) in
            unsafe try PrivatePlace.readAll(file.number, memory)
        }
    }

    /// Passes the line of each secret to a closure, in their order.
    func forEachSecret(in text: Span<UInt8>, _ body: (Int) -> Void) {
        switch content {
        case .values(let format, let keys, let variables):
            for value in PlainTextValues.search(text, format) {
                let isKnown = keys.contains { steps in
                    steps.count == value.path.count
                        && zip(steps, value.path).allSatisfy { $0.matches($1) }
                }
                if isKnown, text.extracting(value.range).isSecret(variables) {
                    body(value.line)
                }
            }
        case .urls:
            var scanner = LineScanner()
            while let line = scanner.next(in: text) {
                let parts = URLParts(text.extracting(text.withoutBlanks(line.range)))
                if parts.scheme != nil, parts.password?.isEmpty == false {
                    body(line.number)
                }
            }
        }
    }
}
