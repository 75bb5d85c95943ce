internal import KeychainServices
internal import PlainTextScan
internal import LanyardPrompting

/// The result of a scan.
struct ScanResult {
    /// The items that it searched for.
    let items: ScannedItems
    /// The secrets in plain text, tools' own files first.
    var findings: [ScanFinding] = []
    /// What it looked at, and what it left out.
    var counts = ScanCounts()

    /// The bytes of the largest file that was searched.
    private let sizeLimit: Int

    init(_ items: ScannedItems, sizeLimit: Int) {
        self.sizeLimit = sizeLimit
        self.items = items
    }

    /// Prints the findings on standard output, and what was left out on standard error.
    ///
    /// - Parameter keychain: The value of `--keychain`.
    /// - Throws: ``Status/io``.
    func report(
        asJSON: Bool, offersFix: Bool, keychain: String?
    ) throws(KeychainError) {
        guard !asJSON else {
            return try writeAnswer(try json())
        }
        for finding in findings {
            try show(["\(finding.file):\(finding.line): \(text(of: finding))"])
        }
        tellCounts()
        if !findings.isEmpty {
            printHint(
                "remove these secrets from the files, and change those that others may have read")
        }
        if offersFix, findings.contains(where: \.isOfTool) {
            printHint("lanyard scan --fix moves those of tools into the keychain")
        }
        let files = findings.filter(\.isPrivateKey).map { "\($0.file)" }
        if !files.isEmpty {
            let keychain = try OpenKeychains(keychain, mayAsk: false).keychain
            printHint(try PrivateKeyAdvice(keychain).hint(for: files))
        }
    }

    private func text(of finding: ScanFinding) -> String {
        switch finding.kind {
        case .privateKey: return "private key without a passphrase"
        case .toolFile(let file): return "secret of \(file.tool) in plain text"
        case .copy(let numbers, let form):
            let attributes = items.items[numbers[0]].attributes
            let group = attributes.accessGroup.map { ", group \($0)" } ?? ""
            let others =
                switch numbers.count {
                case 1: ""
                case 2: ", and of 1 other item"
                default: ", and of \(numbers.count - 1) other items"
                }
            return "copy of \(attributes.shownName ?? "an item")\(group)\(others)\(form.text)"
        }
    }

    private func tellCounts() {
        let secrets = items.counts
        printNote(
            "\(counted(findings.count, "finding")) in \(counted(counts.files, "file")), "
                + "searched for \(counted(secrets.searched, "secret"))")
        let omitted = [
            (secrets.short, "shorter than \(SearchedSecrets.shortest) bytes"),
            (secrets.simple, "too simple"), (secrets.asking, "protected by a question"),
            (secrets.damaged, "damaged"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        if !omitted.isEmpty {
            printNote("secrets not searched for: \(omitted.joined(separator: ", "))")
        }
        if counts.isStopped {
            printWarning("stopped: the other files were not searched")
        }
        warn(counts.unreadable, "can't be read")
        warn(counts.tooLarge, "not searched: larger than \(sizeLimit >> 20) MiB")
        warn(counts.otherFileSystems, "not searched: another machine's or program's file system")
        warn(counts.cutShort, "has more findings than are listed")
    }

    private func warn(_ paths: [ByteString], _ text: String) {
        guard let first = paths.first else {
            return
        }
        let others = paths.count == 1 ? "" : " and \(paths.count - 1) more"
        printWarning("'\(first)'\(others): \(text)")
    }
}

extension ScanFinding {
    fileprivate var isOfTool: Bool { if case .toolFile = kind { true } else { false } }
    fileprivate var isPrivateKey: Bool { if case .privateKey = kind { true } else { false } }
}

extension SecretForm {
    /// A remark about a form other than the plain one.
    fileprivate var text: String {
        switch self {
        case .plain: ""
        case .base64: ", in Base64"
        case .percentEncoded: ", percent-encoded"
        case .json: ", with JSON escapes"
        }
    }
}
