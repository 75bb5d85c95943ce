internal import LanyardConfiguration
internal import Keychains
internal import KeychainServices
internal import ToolSetup

/// What names one of several matches for a command: its name, and all that tells it from the others.
struct MatchWords {
    /// The name.
    let name: String
    /// The account, nil if all have the same and the search names none.
    let account: String?
    /// The group, nil if all are in the same and the search names none.
    var group: String?
    /// The keychain, nil if the command searches it anyway.
    private(set) var keychain: String?
    /// The option for an item that differs from another one only in whether it is synchronizable, or if the search names it.
    let synchronizable: String?
    /// The options for the attributes in which it differs from others with its name and account.
    let parts: [String]

    /// - Parameters:
    ///   - match: The match.
    ///   - all: All of them.
    ///   - search: The search that found them.
    ///   - hasAccount: Whether the account is needed in any case.
    ///   - store: The keychains in use, if those are known.
    init(
        _ match: ItemChoice.Match, among all: [ItemChoice.Match], of search: ItemSearch,
        _ store: SearchListStore?, hasAccount: Bool = false
    ) {
        func differ(_ value: (ItemAttributes) -> ByteString?) -> Bool {
            Set(all.map { value($0.attributes) ?? "" }).count > 1
        }
        let attributes = match.attributes
        name = attributes.name.description
        let isNamed = hasAccount || search.name.attributes.account != nil
        account = isNamed || differ(\.account) ? (attributes.account ?? "").description : nil
        group =
            search.group != nil || differ(\.accessGroup)
            ? attributes.accessGroup?.description : nil
        // Only the option leads to one keychain that is not the list.
        let usual = try? Configuration().searchList(flag: nil).names
        keychain = store.flatMap { $0.names.count == 1 && $0.names != usual ? $0.names[0] : nil }
        let itemClass = match.reference.itemClass
        let isTwin = all.contains {
            var other = $0.attributes.identity(of: itemClass)
            let own = attributes.identity(of: itemClass)
            other.synchronizable = own.synchronizable
            return $0.attributes.synchronizable ?? false != attributes.synchronizable ?? false
                && other == own
        }
        synchronizable =
            isTwin || search.synchronizable != nil
            ? attributes.synchronizable == true ? "--synchronizable" : "--no-synchronizable" : nil
        let peers = all.map(\.attributes).filter {
            $0.name == attributes.name && $0.account ?? "" == attributes.account ?? ""
                && $0.accessGroup == attributes.accessGroup
        }
        parts = LoginPart.differing(peers).map { part in
            part.value(of: attributes).description.asValue(of: part.option)
        }
        self.attributes = attributes
        reference = match.reference
    }

    private let attributes: ItemAttributes
    private let reference: ItemReference

    /// The same for a command that changes an item, and therefore searches all groups and keychains.
    func forChange(in keychain: Keychain, _ store: SearchListStore?) -> MatchWords {
        store?.endsAtFirstKeychain = false
        guard let named = try? ItemName(name, account: account) else {
            return self
        }
        var groups: Set<ByteString> = []
        var keychains: Set<String> = []
        try? ItemSearch(name: named, group: nil).forEach(in: keychain, returns: .reference) {
            item, attributes in
            groups.insert(attributes.accessGroup ?? "")
            if let reference = item.reference, let name = store?.keychainName(of: reference) {
                keychains.insert(name)
            }
            return .next
        }
        var words = self
        words.group = groups.count > 1 ? attributes.accessGroup?.description : nil
        if keychains.count > 1 {
            words.keychain = store?.keychainName(of: reference)
        }
        return words
    }

    /// The options for the keychain and the group, each with a space after it.
    var options: String { SecretLookup.options(group: group, keychain: keychain) }

    /// The words that name it for a command with all these options.
    var arguments: String { arguments() }

    /// The same with a further option of the command.
    func arguments(_ option: String? = nil) -> String {
        let words = [name, account].compactMap(\.self)
        let given = parts + [synchronizable, option].compactMap(\.self)
        let named = words.map(\.shellWord)
        // Behind two hyphens nothing is an option.
        let all =
            words.contains { $0.hasPrefix("-") } ? given + ["--"] + named : named + given
        return options + all.joined(separator: " ")
    }
}
