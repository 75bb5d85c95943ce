internal import LanyardTransfer
internal import KeychainServices
internal import PlainTextFormats
internal import ToolSetup

/// A file of kubectl's: the tokens of its users.
///
/// They become the items that kubectl-credential-lanyard finds. `lanyard setup kubectl` removes them from the file,
/// as kubectl then needs the helper's name there.
struct KubeconfigFile: ImportFormat {
    func syntax(of text: Span<UInt8>) -> PlainTextFormat? {
        text.extracting(text.withoutWhitespace).starts(with: "{") ? .json : .yaml
    }

    /// What a user logs in with is an entry, or the reason why it is none; a program's variables and extensions are not
    /// read.
    func readsSetting(_ path: [String]) -> Bool {
        path.starts(with: ["users", "", "user"])
            && (path.count == 3 || KubectlSetup.loginKeys.contains(path[3]))
    }

    func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        try KubectlSetup.forEachPlainLogin(in: text) { login, line throws(KeychainError) in
            try body(
                ImportRecord(line: line, range: nil, content: KubeconfigFile.content(login)))
        }
    }

    private static func content(
        _ login: Result<KubectlSetup.PlainLogin, KeychainError>
    ) -> ImportRecord.Content {
        switch login {
        case .failure(let error): return .failed(error)
        case .success(let login):
            guard let token = login.token else {
                return .skipped(reason: "it is a certificate, which lanyard setup kubectl moves")
            }
            return .item(
                NewItem(.internetPassword, login.tokenAttributes, secret: token.secret))
        }
    }
}

extension KubectlSetup.PlainLogin {
    /// The attributes of the item with its token.
    var tokenAttributes: ItemAttributes {
        var attributes = ItemAttributes()
        if let url = ServerURL(ByteString(server)) {
            attributes.server = url.host.lowercasedASCII
            attributes.port = url.port ?? 0
            // Some servers have several clusters, each with a path.
            attributes.path = url.path?.trimmingSlashes
        }
        attributes.accessGroup = "kubectl"
        attributes.protocol = .https
        attributes.account = ByteString(user)
        return attributes
    }
}
