internal import LanyardTransfer
internal import KeychainServices

extension SharedHost {
    /// Says which account answers, for users.
    var text: String {
        let shown = accounts.prefix(SharedHost.shownAccounts).map(\.shownAccount)
        let rest = accounts.count - shown.count
        let names = (rest > 0 ? shown + ["\(rest) more"] : shown)
        return "'\(attributes.name)' has \(accounts.count) accounts ("
            + names.joined(separator: ", ") + "): \(shown[0]) answers, as before"
    }

    /// The URL by which a tool requests an account that does not answer by default; nil without one.
    var urlOfAnother: String? {
        guard let other = accounts.dropFirst().first(where: { $0.isPlainInURL }),
            let scheme = attributes.protocol?.shownScheme
        else {
            return nil
        }
        var host = attributes
        host.protocol = nil
        return "\(scheme)://\(other)@\(host.name)"
    }

    private static let shownAccounts = 3
}

extension ByteString {
    fileprivate var shownAccount: String { isEmpty ? "no account" : "'\(self)'" }

    /// Whether it needs no encoding as a user in a URL.
    fileprivate var isPlainInURL: Bool {
        !isEmpty && bytes.allSatisfy { $0.isLetterOrDigit || "-._~".utf8.contains($0) }
    }
}
