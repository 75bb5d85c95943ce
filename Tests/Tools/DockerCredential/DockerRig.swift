import KeychainServices
import StoreConformance

@testable import DockerCredential

/// A helper over a keychain in memory, spoken to in texts. What the keychain holds can be looked
/// at, and what was done to it is counted.
final class DockerRig {
    let store = CountingStore()
    let keychain: Keychain
    private(set) var hints: [String] = []

    init() {
        // The keychain's own group is another tool's: docker's has to be named each time.
        keychain = Keychain(store, accessGroups: .all())
    }

    /// A keychain with these logins, the last one stored last.
    init(_ logins: [(url: String, username: String)]) throws(KeychainError) {
        keychain = Keychain(store, accessGroups: .all())
        for login in logins {
            try store(login.url, login.username, "secret of \(login.username)")
        }
        store.counts = Counts()
    }

    private var helper: DockerCredentialHelper {
        DockerCredentialHelper(keychain: keychain) { self.hints.append($0) }
    }

    /// Runs an operation and returns its standard output: the answer, or the error's
    /// line with `1: ` before it for the exit status.
    func run(_ operation: String, _ request: String) -> String {
        run(operation, Array(request.utf8))
    }

    func run(_ operation: String, _ request: [UInt8]) -> String {
        do throws(KeychainError) {
            let request = Secret(copying: request.span)
            switch operation {
            case "get": return try helper.get(request).text
            case "store": try helper.store(request)
            case "erase": try helper.erase(request)
            case "list": return try list()
            default: return "there is no operation \(operation)"
            }
            return ""
        } catch {
            if let hint = error.hint {
                hints.append(hint)
            }
            return "1: \(error.reason)"
        }
    }

    func list() throws(KeychainError) -> String {
        let answer = Output()
        try helper.list { piece in answer.text += piece.text }
        return answer.text
    }

    func store(_ url: String, _ username: String, _ secret: String) throws(KeychainError) {
        try helper.store(
            Secret(#"{"ServerURL":"\#(url)","Username":"\#(username)","Secret":"\#(secret)"}"#))
    }

    /// The user whose login answers for a URL, nil if none does.
    func answer(_ url: String) throws(KeychainError) -> String? {
        do throws(KeychainError) {
            let answer = try helper.get(Secret(url)).text
            let start = answer.firstRange(of: #""Username":""#)!.upperBound
            return String(answer[start...].prefix { $0 != "\"" })
        } catch  where error.status == .itemNotFound {
            return nil
        }
    }

    /// Puts an item there as another program would.
    func put(secret: [UInt8] = [], _ fill: (inout ItemAttributes) -> Void) throws(KeychainError) {
        var attributes = ItemAttributes()
        attributes.accessGroup = "docker"
        attributes.server = "example.com"
        attributes.protocol = .https
        attributes.account = "other"
        fill(&attributes)
        try keychain.add(
            .internetPassword, attributes, secret: Secret(copying: secret.span))
        store.counts = Counts()
    }

    /// What the keychain holds, one line for an item, added or changed last first: protocol,
    /// server, port, path, account (`-` for what is absent) and the secret.
    var items: [String] {
        get throws(KeychainError) {
            var query = Query(.internetPassword, returns: [.attributes, .data])
            query.match.limit = .all
            var lines: [String] = []
            let counts = store.counts
            let isLocked = store.isLocked
            store.isLocked = false
            try keychain.forEachMatch(query) { item in
                let attributes = item.attributes!
                lines.append(
                    "\(attributes.protocol?.description ?? "-")"
                        + " \(attributes.server?.description ?? "-")"
                        + " \(attributes.port.map { "\($0)" } ?? "-")"
                        + " \(attributes.path?.description ?? "-")"
                        + " \(attributes.account?.description ?? "-")"
                        + " = \(item.secretText)")
                return .next
            }
            store.counts = counts
            store.isLocked = isLocked
            return lines
        }
    }
}

/// What has been written so far.
private final class Output {
    var text = ""
}

extension MatchedItem {
    fileprivate var secretText: String {
        switch secret {
        case .some(let secret): secret.text
        case .none: ""
        }
    }
}
