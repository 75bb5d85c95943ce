internal import KeychainServices
internal import LinuxSystem
internal import Tools
internal import ToolProfiles

/// The secrets of items, each looked up once: an item may ask the user at each use.
final class SecretLookup {
    /// An item's secret and account.
    final class Found {
        let secret: Secret
        /// Empty without an account.
        let account: ByteString

        fileprivate init(_ secret: consuming Secret, _ account: ByteString) {
            self.secret = secret
            self.account = account
        }
    }

    private struct Name: Hashable {
        let what: String
        let account: String?
    }

    private let keychain: Keychain
    private let group: ByteString?
    /// Also what is missing, as nil.
    private var found: [Name: Found?] = [:]

    /// - Parameter group: The group to look in, nil for all of them.
    init(in keychain: Keychain, group: ByteString?) {
        self.keychain = keychain
        self.group = group
    }

    /// Returns an item, nil if there is none.
    ///
    /// - Parameters:
    ///   - what: The item's name.
    ///   - account: Its account: nil for any, empty for none.
    func find(_ what: String, account: String?) throws(KeychainError) -> Found? {
        let name = Name(what: what, account: account)
        if let known = found[name] {
            return known
        }
        let answer = try lookUp(what, account)
        found.updateValue(answer, forKey: name)
        return answer
    }

    private func lookUp(_ what: String, _ account: String?) throws(KeychainError) -> Found? {
        let search = try search(what, account)
        guard let item = try search.first(in: keychain, returns: .data),
            let password = Tools.password(of: item)
        else {
            return nil
        }
        return Found(password.locked(), item.attributes?.account ?? "")
    }

    /// Returns the error for a missing item.
    ///
    /// - Parameter hint: What to do if no other account or group has it.
    func missing(
        _ what: String, account: String?, hint: String
    ) throws(KeychainError) -> KeychainError {
        let search = try search(what, account)
        let error = search.nothing(what, in: keychain)
        return error.hint == ItemSearch.listHint
            ? KeychainError(error.status, error.reason, hint: hint) : error
    }

    /// Appends the value of a reference.
    ///
    /// - Throws: ``Status/itemNotFound``, what the keychain throws.
    func append(
        _ reference: SecretReference, to text: inout SecretBuilder
    ) throws(KeychainError) {
        guard let item = try find(reference) else {
            throw try missing(
                reference.name, account: reference.account,
                hint: SecretLookup.setCommand(reference.name, reference.account))
        }
        guard reference.isAccount else {
            return text.append(item.secret)
        }
        guard !item.account.isEmpty else {
            throw KeychainError(
                .itemNotFound, "the item '\(reference.name)' has no account",
                hint: SecretLookup.setCommand(reference.name, "ACCOUNT"))
        }
        text.append(item.account)
    }

    /// The service and the account come first: a new item with a longer name changes no reference.
    private func find(_ reference: SecretReference) throws(KeychainError) -> Found? {
        if let item = try find(reference.name, account: reference.account) {
            return item
        }
        guard let other = reference.otherName else {
            return nil
        }
        return try find(other, account: nil)
    }

    /// Returns the value of a template.
    ///
    /// - Throws: As ``append(_:to:)``.
    func value(of template: SecretTemplate) throws(KeychainError) -> Secret {
        var text = SecretBuilder()
        for piece in template.pieces {
            switch piece {
            case .text(let bytes): bytes.withBytes { text.append($0) }
            case .reference(let reference): try append(reference, to: &text)
            }
        }
        return text.finish().locked()
    }

    /// Returns the command that stores an item.
    static func setCommand(_ what: String, _ account: String?) -> String {
        (["lanyard", "set", what] + [account].compactMap(\.self)).map(\.shellWord)
            .joined(separator: " ")
    }

    private func search(_ what: String, _ account: String?) throws(KeychainError) -> ItemSearch {
        ItemSearch(
            name: try ItemName(what, account: account), group: group, isForReading: true)
    }
}
