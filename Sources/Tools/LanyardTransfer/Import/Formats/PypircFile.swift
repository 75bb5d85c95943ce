package import KeychainServices
package import PlainTextFormats
package import ToolCatalog

/// The file ~/.pypirc: a section for each index, with `repository`, `username` and `password`.
///
/// Passwords become logins of the group `keyring` for the repository's URL: twine asks keyring for that.
/// The range of an entry is the line of its password. The corresponding page is "The .pypirc file" of the Python
/// Packaging User Guide.
package struct PypircFile: PlainReader {
    package init() {}

    private static let keys: Set<ByteString> = ["repository", "username", "password"]

    private static let repositories: [ByteString: ByteString] = [
        "pypi": "https://upload.pypi.org/legacy/",
        "testpypi": "https://test.pypi.org/legacy/",
    ]

    package func syntax(of text: Span<UInt8>) -> PlainTextFormat? { .ini }

    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        let settings = SettingLines(text, signs: .firstSign)
        let linesOfSections = settings.linesOfSections
        var earlier = EarlierEntries()
        for (number, section) in settings.sections.enumerated() {
            let lines = linesOfSections[number] ?? []
            func value(_ key: ByteString) -> ByteString? {
                lines.last { $0.key == key }
                    .map { ByteString(copying: text.extracting($0.value)) }
            }
            guard let password = lines.last(where: { $0.key == "password" }) else {
                continue
            }
            if let line = lines.first(where: { PypircFile.keys.contains($0.key) && $0.isContinued })
            {
                try body(
                    ImportRecord(
                        line: line.line.number, range: password.line.whole,
                        content: .unreadable(SkipReason.continued)))
                continue
            }
            let repository = value("repository") ?? PypircFile.repositories[section.name]
            let account = value("username")
            let content =
                repository.map { repository in
                    repository.bytes.span.hasPasswordInURL
                        ? .unreadable("its repository has a password in it")
                        : PypircFile.login(repository, account ?? "__token__")
                            .content(Secret(copying: text.extracting(password.value)), &earlier)
                } ?? .unreadable("it names no repository")
            try body(
                ImportRecord(
                    line: password.line.number, range: password.line.whole, content: content))
        }
    }

    /// Returns the login of a repository. An address that can't be split, such as one with a user, is a service's name.
    private static func login(_ repository: ByteString, _ account: ByteString) -> ToolLogin {
        ToolLogin("keyring", url: repository, account: account)
            ?? ToolLogin("keyring", service: repository, account: account)
    }
}

extension PypircTool: ReadTool {
    package typealias Reader = PypircFile
}
