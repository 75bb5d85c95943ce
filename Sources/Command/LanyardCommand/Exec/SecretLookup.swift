internal import KeychainServices
internal import Keychains
internal import LinuxSystem
internal import ToolHelpers
internal import ToolCatalog
internal import ToolSetup

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

    let keychain: Keychain
    private let store: SearchListStore?
    private let group: ByteString?
    /// Names one of several items.
    private let naming: ItemSearch.Naming
    /// Whether an error names the option for another group.
    private let namesGroup: Bool
    /// Also what is missing, as nil.
    private var found: [Name: Found?] = [:]

    /// - Parameters:
    ///   - store: The store of the keychain, if that is the search list.
    ///   - group: The group to look in, nil for all of them.
    ///   - naming: Names one of several items, for the hint.
    convenience init(
        in keychain: Keychain, _ store: SearchListStore? = nil, group: ByteString?,
        naming: @escaping ItemSearch.Naming = { _ in nil }
    ) {
        self.init(in: keychain, store, group: group, namesGroup: false, naming)
    }

    private init(
        in keychain: Keychain, _ store: SearchListStore?, group: ByteString?, namesGroup: Bool,
        _ naming: @escaping ItemSearch.Naming
    ) {
        self.keychain = keychain
        self.store = store
        self.group = group
        self.namesGroup = namesGroup
        self.naming = naming
    }

    /// Returns an item, nil if there is none.
    ///
    /// - Throws: ``Status/param`` for several of which none is chosen, ``Status/itemNotFound`` for one that has expired, what
    ///   the keychain throws.
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
        let item = try search.one(what, in: keychain, store, returns: .data, naming: naming)
        guard let item else {
            return nil
        }
        return try SecretLookup.found(item)
    }

    private static func found(_ item: borrowing MatchedItem) throws(KeychainError) -> Found? {
        guard let password = ToolHelpers.password(of: item) else {
            return nil
        }
        let attributes = item.attributes ?? ItemAttributes()
        let expiry = ToolFormat(group: attributes.accessGroup)?.expiry
        let hasEnded =
            switch item.secret {
            case .some(let secret): expiry?.hasEnded(secret, currentTime()) ?? false
            case .none: false
            }
        guard !hasEnded else {
            throw KeychainError(
                .itemNotFound, "\(attributes.shownName ?? "the item") has expired",
                hint: "store a new one: "
                    + setCommand(attributes.name.description, attributes.account?.description))
        }
        return Found(password.locked(), attributes.account ?? "")
    }

    /// An item with the secret of a profile, by its service and account.
    struct Place: Hashable {
        /// Nil for any scope.
        let scope: String?
        let account: ByteString
        fileprivate let reference: ItemReference
        fileprivate let attributes: ItemAttributes
        fileprivate var match: ItemSearch.Match {
            ItemSearch.Match(reference: reference, attributes: attributes)
        }
        /// Whether it is the default of its name.
        var isDefault: Bool { attributes.isDefault }
    }

    /// Returns the items with the secrets of a profile, of every scope; of one service and account only the first.
    ///
    /// - Parameter account: The account, nil for any.
    func places(
        of profile: ToolProfile, account: String?
    ) throws(KeychainError) -> [Place] {
        var attributes = ItemAttributes()
        attributes.accessGroup = group
        attributes.account = account.map { ByteString($0) }
        attributes.service = profile.scope == nil ? ByteString(profile.name) : nil
        attributes.isNegative = false
        var query = Query(.genericPassword, attributes, returns: [.attributes, .reference])
        query.synchronizable = .any
        query.match.limit = .all
        var places: [Place] = []
        var seen: Set<[String?]> = []
        try keychain.forEachMatch(query) { item in
            guard let reference = item.reference, let found = item.attributes,
                case .some(let scope) = profile.scope(inService: found.service?.description ?? "")
            else {
                return .next
            }
            let account = found.account ?? ""
            if seen.insert([scope, account.description]).inserted {
                places.append(
                    Place(
                        scope: scope, account: account, reference: reference, attributes: found))
            }
            return .next
        }
        return places
    }

    /// Returns the error for several items of which none is chosen: it lists them.
    func several(_ places: [Place], _ what: String) throws(KeychainError) -> KeychainError {
        try search(what, nil).several(
            places.map(\.match), what, in: keychain, store, naming)
    }

    /// Returns the error for items that all belong to other accounts than the environment names.
    func others(
        _ places: [Place], _ what: String, than account: String
    ) throws(KeychainError) -> KeychainError {
        try search(what, nil).others(places.map(\.match), what, than: account, store, naming)
    }

    /// Returns the only item with the service and account of a place, nil if it is gone.
    ///
    /// - Throws: ``Status/param`` for several of which none is chosen, as ``find(_:account:)``.
    func only(_ place: Place) throws(KeychainError) -> Found? {
        let service = (place.attributes.service ?? "").description
        if let item = try find(service, account: place.account.description) {
            return item
        }
        return try find(place)
    }

    /// Returns the item at a place, nil if it is gone.
    func find(_ place: Place) throws(KeychainError) -> Found? {
        let item = try keychain.firstMatch(
            of: Query(place.reference, returns: [.data, .attributes]))
        guard let item else {
            return nil
        }
        return try SecretLookup.found(item)
    }

    /// How many names a command for a setup has.
    private static let setupLimit = 5

    /// Returns the command that makes a tool ask its helper, if the helper has items; nil for another tool.
    ///
    /// - Parameter item: The name of the item that the helper has to have, nil for any.
    func setupCommand(
        ofHelperFor name: String, item: String? = nil
    ) throws(KeychainError) -> String? {
        guard let tool = Tool.ofImport(name), let format = tool.format,
            item == nil || !format.isForServers
        else {
            return nil
        }
        var attributes = ItemAttributes()
        attributes.service = item.map { ByteString($0) }
        attributes.accessGroup = format.accessGroup
        var query = Query(
            format.isForServers ? .internetPassword : .genericPassword, attributes,
            returns: .attributes)
        query.match.limit = .all
        var names: Set<String> = []
        try keychain.forEachMatch(query) { item in
            if let attributes = item.attributes {
                names.insert(attributes.name.description)
            }
            return names.count < SecretLookup.setupLimit ? .next : .stop
        }
        guard !names.isEmpty else {
            return nil
        }
        let arguments = tool.setupArgument == nil ? [] : names.sorted().map(\.shellWord)
        return (["lanyard", "setup", tool.name] + arguments).joined(separator: " ")
    }

    /// Returns the error for a missing item.
    ///
    /// - Parameter hint: What to do if no other account or group has it.
    func missing(
        _ what: String, account: String?, hint: String
    ) throws(KeychainError) -> KeychainError {
        let search = try search(what, account)
        let error = search.nothing(what, in: keychain, store)
        return error.hint == ItemSearch.listHint
            ? KeychainError(error.status, error.reason, hint: hint) : error
    }

    /// The group of references in files: others may write these, and must not choose logins of git or docker.
    static let groupOfReferences: ByteString = "login"

    /// Returns a lookup for references: in one group, which is `login` unless the user names another one.
    ///
    /// - Parameter command: The command whose references they are, for a hint: it obeys ``ItemSearch/accountVariable``.
    static func ofReferences(
        in opened: OpenKeychains, group: ByteString?, command: String
    ) -> SecretLookup {
        SecretLookup(
            in: opened.keychain, opened.store, group: group ?? groupOfReferences,
            namesGroup: group == nil
        ) { words in
            guard words.synchronizable == nil, let account = words.account, !account.isEmpty else {
                return nil
            }
            return "\(ItemSearch.accountVariable)=\(account.shellWord) \(command)"
        }
    }

    /// Appends the value of a reference.
    ///
    /// - Throws: ``Status/itemNotFound``, what the keychain throws.
    func append(
        _ reference: SecretReference, to text: inout SecretBuilder
    ) throws(KeychainError) {
        guard let item = try find(reference) else {
            if let error = try otherGroup(of: reference) {
                throw error
            }
            if let literal = reference.literal,
                (try? search(literal.name, nil).isThere(in: keychain)) == true
            {
                throw KeychainError(
                    .itemNotFound, "item '\(reference.name)' not found",
                    hint: "'\(literal.name)' in a reference is \(literal.reference)")
            }
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

    /// Returns the error for an item that is only in a group that the user did not name; nil for a missing one.
    private func otherGroup(of reference: SecretReference) throws(KeychainError) -> KeychainError? {
        guard namesGroup else {
            return nil
        }
        let search = ItemSearch(
            name: try ItemName(reference.name, account: reference.account), group: nil,
            isForReading: true)
        var group: ByteString?
        try search.forEach(in: keychain, returns: .attributes) { _, attributes in
            group = attributes.accessGroup
            return .stop
        }
        guard let group else {
            return nil
        }
        return KeychainError(
            .itemNotFound,
            "'\(reference.text)' means the group '\(SecretLookup.groupOfReferences)', but the item is in "
                + "'\(group)'",
            hint: "if it may be given: --group \(group.description.shellWord)")
    }

    /// The exact name comes first, as in all commands.
    private func find(_ reference: SecretReference) throws(KeychainError) -> Found? {
        if let name = reference.exactName, let item = try find(name, account: nil) {
            return item
        }
        var account = reference.account
        if account == nil {
            account = try defaultAccount(of: reference)
        }
        if let item = try find(reference.name, account: account) {
            return item
        }
        return account == reference.account ? nil : try find(reference.name, account: nil)
    }

    /// Returns the account of the default among the items whose part is meant, nil without one.
    private func defaultAccount(of reference: SecretReference) throws(KeychainError) -> String? {
        guard let name = reference.wholeName, try ItemSearch.accountOfEnvironment() == nil else {
            return nil
        }
        var account: String?
        try search(name, nil).forEach(in: keychain, returns: .attributes) { _, attributes in
            if attributes.isDefault, attributes.service?.description == name {
                account = attributes.account?.description
            }
            return account == nil ? .next : .stop
        }
        return account
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

    /// Returns the options that narrow a lookup, each with a space after it.
    static func options(group: String?, keychain: String?) -> String {
        [("--group", group), ("--keychain", keychain)].map { name, value in
            value.map { option(name, $0) } ?? ""
        }.joined()
    }

    /// Returns an option with its value and a space after it.
    static func option(_ name: String, _ value: String) -> String {
        "\(value.asValue(of: name)) "
    }

    /// Returns the command that stores an item.
    static func setCommand(_ what: String, _ account: String?) -> String {
        let words = [what, account].compactMap(\.self)
        let mark = words.contains { $0.hasPrefix("-") } ? ["--"] : []
        return (["lanyard", "set"] + mark + words).map(\.shellWord).joined(separator: " ")
    }

    private func search(_ what: String, _ account: String?) throws(KeychainError) -> ItemSearch {
        ItemSearch(
            name: try ItemName(what, account: account), group: group, isForReading: true)
    }
}
