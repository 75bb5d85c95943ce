import GitCredential
import KeychainServices
import StoreConformance

/// A helper over a keychain in memory, spoken to in texts. What the keychain holds can be looked
/// at, and what was done to it is counted.
final class GitRig {
    let store: CountingStore
    let keychain: Keychain
    var now: Int64
    /// The key of the state digest, nil for a machine without one.
    var stateKey: UInt64? = 1

    init(now: Int64 = 1_000) {
        self.now = now
        store = CountingStore()
        keychain = Keychain(store, accessGroups: .all())
    }

    private var helper: GitCredentialHelper {
        GitCredentialHelper(
            keychain: keychain, now: Timestamp(secondsSinceEpoch: now),
            stateDigest: { [stateKey] text in stateKey.map { fakeDigest(text, key: $0) } })
    }

    func get(_ request: String) throws(KeychainError) -> String {
        let answer = try helper.get(GitCredentialRequest(parsing: Secret(request)))
        return answer.text
    }

    func store(_ request: String) throws(KeychainError) {
        try helper.store(GitCredentialRequest(parsing: Secret(request)))
    }

    func erase(_ request: String) throws(KeychainError) {
        try helper.erase(GitCredentialRequest(parsing: Secret(request)))
    }

    /// Puts an item there as another tool would.
    func put(secret: String, _ fill: (inout ItemAttributes) -> Void) throws(KeychainError) {
        var attributes = ItemAttributes()
        attributes.accessGroup = "git"
        attributes.protocol = .https
        attributes.server = "example.com"
        fill(&attributes)
        try keychain.add(.internetPassword, attributes, secret: Secret(secret))
        store.counts = Counts()
    }

    /// What the keychain holds, one line for an item, added or changed last first: protocol,
    /// server, port, path, account (`-` for what is absent), and the secret with `|` for LF.
    var items: [String] {
        get throws(KeychainError) {
            try described { item in
                let attributes = item.attributes!
                let secret = item.secret.map { $0.text } ?? ""
                return "\(attributes.protocol?.description ?? "-")"
                    + " \(attributes.server?.quoted ?? "-")"
                    + " \(attributes.port.map { "\($0)" } ?? "-")"
                    + " \(attributes.path?.quoted ?? "-")"
                    + " \(attributes.account?.quoted ?? "-")"
                    + " = \(secret.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "|"))"
            }
        }
    }

    func described(
        _ describe: (borrowing MatchedItem) -> String
    ) throws(KeychainError) -> [String] {
        var query = Query(.internetPassword, returns: [.attributes, .data])
        query.match.limit = .all
        var lines: [String] = []
        let counts = store.counts
        try keychain.forEachMatch(query) { item in
            lines.append(describe(item))
            return .next
        }
        store.counts = counts
        return lines
    }
}

extension ByteString {
    fileprivate var quoted: String { isEmpty ? "''" : description }
}

extension Secret {
    var text: String {
        withBytes { span in
            String(decoding: ByteString(copying: span).bytes, as: UTF8.self)
        }
    }

    var bytes: [UInt8] {
        withBytes { ByteString(copying: $0).bytes }
    }
}

extension Optional where Wrapped == Secret {
    /// The optional's own `map` would consume the secret.
    func map<Result>(_ body: (borrowing Secret) -> Result) -> Result? {
        switch self {
        case .some(let secret): body(secret)
        case .none: nil
        }
    }
}

/// A stand-in for an HMAC: FNV-1a, begun with a key.
func fakeDigest(_ text: borrowing Secret, key: UInt64) -> [UInt8] {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ key
    for byte in text.bytes {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return withUnsafeBytes(of: hash.bigEndian) { Array($0) }
}
