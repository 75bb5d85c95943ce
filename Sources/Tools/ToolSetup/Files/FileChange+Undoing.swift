internal import KeychainServices
internal import ToolCatalog

extension FileChange {
    /// Creates the change of a file whose setup is undone.
    ///
    /// - Parameters:
    ///   - before: The file's bytes now.
    ///   - after: Its bytes after the undo.
    ///   - original: Its bytes before the setup.
    init(
        undoing entry: SetupRecord.Entry, _ before: FileBytes?, _ after: FileBytes?,
        original: FileBytes?
    ) {
        let summary =
            if after == nil {
                "removes the file: the setup created it"
            } else if after == original {
                "restores the file as it was before the setup"
            } else {
                "the file has changed since the setup: removes only what the setup added"
            }
        self.init(
            path: entry.path, summary: [summary], lines: entry.insertion.undoneLines,
            before: before, after: after, entry: nil, original: nil, style: entry.insertion.style)
    }
}

extension Insertion {
    /// The lines that an undo changes, for users.
    fileprivate var undoneLines: [String] {
        switch self {
        case .gitBlock(let block):
            return GitConfigBlock.lines(block).map { "-\($0)" }
        case .credsStore(let replaced):
            let old = ["-\"credsStore\": \"lanyard\""]
            guard let replaced else {
                return old
            }
            return old + ["+\"credsStore\": \(String(decoding: replaced, as: UTF8.self))"]
        case .registriesDropIn:
            return RegistriesDropIn.lines.map { "-\($0)" }
        case .kubeconfig(let users):
            return users.map { "-the program of '\($0)'" }
        case .settings(let sections), .wholeFile(let sections):
            return sections.flatMap(\.lines).map { "-\($0)" }
        case .serviceFile, .link, .shim:
            return []
        }
    }
}
