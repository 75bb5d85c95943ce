internal import KeychainServices

/// A file whose setup is undone.
struct UndoneFile {
    private let entry: SetupRecord.Entry
    private let before: FileBytes?
    private let after: FileBytes?
    private let original: FileBytes?

    /// - Parameters:
    ///   - before: The file's bytes now.
    ///   - after: Its bytes after the undo.
    ///   - original: Its bytes before the setup.
    init(
        _ entry: SetupRecord.Entry, _ before: FileBytes?, _ after: FileBytes?, original: FileBytes?
    ) {
        self.entry = entry
        self.before = before
        self.after = after
        self.original = original
    }

    var change: FileChange {
        FileChange(
            path: entry.path, summary: [summary], lines: lines, before: before, after: after,
            entry: nil, original: nil, style: entry.insertion.style)
    }

    private var summary: String {
        if after == nil {
            return "removes the file: the setup created it"
        }
        return after == original
            ? "restores the file as it was before the setup"
            : "the file has changed since the setup: removes only what the setup added"
    }

    private var lines: [String] {
        switch entry.insertion {
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
        case .serviceFile, .link:
            return []
        case .settings(let sections), .wholeFile(let sections):
            return sections.flatMap(\.lines).map { "-\($0)" }
        case .shim: return []
        }
    }
}
