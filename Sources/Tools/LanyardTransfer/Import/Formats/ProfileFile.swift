package import KeychainServices
package import PlainTextFormats
package import ToolCatalog

/// A file in which a program without a credential protocol stores its secret in plain text.
///
/// A secret becomes the item that the program's profile names, and further secrets those of its parts. If the file
/// binds each secret to a context or a host, the item is for that one alone. Of a file that is the secret as a whole,
/// all bytes become one item.
package struct ProfileFile: ImportFormat {
    private let profile: ToolProfile
    private let file: SecretFile

    /// Creates the format of one of a profile's files.
    package init(_ profile: ToolProfile, _ file: SecretFile) {
        self.profile = profile
        self.file = file
    }

    /// Of two logins in .netrc or .pgpass the first one counts; other programs differ.
    package var precedence: Precedence {
        [.netrc, .pgpass].contains(file.format) ? .first : .neither
    }

    package func readsSetting(_ path: [String]) -> Bool {
        let active = profile.scope?.active.filter { $0.path == file.path }.flatMap(\.keys) ?? []
        return file.keys.contains { [.account, .scope].contains($0.holds) && $0.matches(path) }
            || active.contains { PlainTextKey($0, holds: .scope).matches(path) }
    }

    /// .netrc has logins of other programs, too.
    package func syntax(of text: Span<UInt8>) -> PlainTextFormat? {
        file.isWhole || file.format == .netrc ? nil : file.format
    }

    /// The accounts whose secret can be imported, of one file or several.
    package struct Accounts: Sendable {
        /// By the services of the items.
        private var names: [ByteString: Set<ByteString>] = [:]
        private var others = 0

        /// The largest number of accounts among which the user has to choose: those of one scope, with those that
        /// differ from another one of the same name.
        package var count: Int { (names.values.map(\.count).max() ?? 0) + others }

        /// Creates none.
        package init() {}

        /// Adds those of another file.
        package mutating func formUnion(_ accounts: Accounts) {
            names.merge(accounts.names) { $0.union($1) }
            others += accounts.others
        }

        fileprivate mutating func add(_ content: ImportRecord.Content, of profile: ToolProfile) {
            switch content {
            case .item(let item)
            where profile.scope(inService: item.attributes.service?.description ?? "") != nil:
                let account = profile.hasAllItems ? "" : item.attributes.account ?? ""
                names[item.attributes.service ?? "", default: []].insert(account)
            case .failed(let error) where error.status == .duplicateItem: others += 1
            default: break
            }
        }
    }

    /// Returns the accounts whose secret can be imported.
    ///
    /// - Throws: What ``read(_:_:)`` throws about the file.
    package func accounts(in file: borrowing Secret) throws(KeychainError) -> Accounts {
        var accounts = Accounts()
        try read(file) { accounts.add($0.content, of: profile) }
        return accounts
    }

    /// Reads a whole file.
    ///
    /// - Throws: ``Status/decode`` for JSON and XML without an end, what the closure throws.
    package func read(_ text: Span<UInt8>, _ body: ImportRecord.Body) throws(KeychainError) {
        var records: [ImportRecord] = []
        let values = try PlainTextValues.read(text, self.file.format)
        let places = places(values)
        let neighbours = Neighbours(
            places, values, text,
            profile.scope?.active.first { $0.path == file.path && $0.naming == .value })
        var earlier = Earlier(precedence)
        for place in places where place.key.holds == .secret {
            if let last = place.last {
                let isSame = text.extracting(place.value.range).isSame(as: text.extracting(last))
                records.append(
                    ImportRecord(
                        line: place.value.line, range: place.value.removal,
                        content: .samePlace(isSame: isSame)))
            } else if isEncrypted(text.extracting(place.value.range)) {
                records.append(encrypted(place))
            } else if text.extracting(place.value.range).isSecret(file.variables) {
                records += self.records(place, neighbours, text, &earlier)
            }
        }
        for value in values where value.path.first == YAMLValues.furtherDocument {
            let path = Array(value.path.dropFirst())
            let isOwn = self.file.keys.contains { $0.holds == .secret && $0.matches(path) }
            if isOwn, text.extracting(value.range).isSecret(file.variables) {
                records.append(
                    ImportRecord(
                        line: value.line, range: value.removal,
                        content: .unreadable(
                            "it is in a further document, which \(profile.name) ignores")))
            }
        }
        if self.file.isWhole, !records.isEmpty {
            let secret = Secret(copying: text.extracting(text.withoutWhitespace))
            records = [
                ImportRecord(
                    line: 1, range: 0..<text.count,
                    content: .item(withinLimits: item(.secret, (nil, nil), secret)))
            ]
        }
        for record in records.reversed() {
            try body(record)
        }
    }

    /// Whether the program has encrypted a value: it writes it in braces. A variable's name has braces, too.
    private func isEncrypted(_ value: Span<UInt8>) -> Bool {
        file.encryption != nil && value.firstIndex(of: "${") == nil
            && value.firstIndex(of: "{") != nil && value.firstIndex(of: "}") != nil
    }

    private func encrypted(_ place: Place) -> ImportRecord {
        let key =
            place.key.exclusion == .encrypted
            ? "by \(profile.name)" : "with \(file.encryption ?? "")"
        return ImportRecord(
            line: place.value.line, range: place.value.removal,
            content: .skipped(reason: "it is encrypted \(key)"))
    }

    /// Returns the values with a meaning, in the order of the keys. Of two settings with one name the last one counts: of
    /// the earlier ones, only the secrets have a place.
    private func places(_ values: [PlainTextValue]) -> [Place] {
        var last: [[String]: Range<Int>] = [:]
        if [.json, .yaml, .ini, .toml].contains(file.format) {
            // The elements of a list have empty names, and are no repetitions.
            for value in values where !value.path.contains("") {
                last[value.path] = value.range
            }
        }
        return values.compactMap { value in
            guard let number = file.keys.firstIndex(where: { $0.matches(value.path) }) else {
                return nil
            }
            let end = last[value.path].flatMap { $0 == value.range ? nil : $0 }
            let key = file.keys[number]
            return end == nil || key.holds == .secret
                ? Place(value: value, number: number, key: key, last: end) : nil
        }.sorted { ($0.number, $0.value.range.lowerBound) < ($1.number, $1.value.range.lowerBound) }
    }

    /// The items of the entries before.
    private struct Earlier {
        /// Digests of their secrets and parts.
        private var values: Set<[Int]> = []
        /// Digests of their secrets.
        private var secrets: Set<Int> = []
        private var entries: EarlierEntries
        /// What libpq takes the lines before for.
        private var lines = PasswordLines()

        init(_ precedence: Precedence) {
            entries = EarlierEntries(precedence)
        }

        /// Returns the bytes of a line before that is for all that a line of libpq's password file is for, nil without one.
        mutating func hiding(
            _ scope: String?, _ account: ByteString?, at range: Range<Int>
        ) -> Range<Int>? {
            lines.add(scope, user: account?.description, at: range)
        }

        /// Whether an entry before has the secret of an item.
        func hasSecret(of item: NewItem) -> Bool { secrets.contains(item.secretDigest) }

        /// Returns the item of a secret, or its replacement if an earlier login was the same: some programs write
        /// theirs twice, the second time perhaps without its account.
        ///
        /// - Parameter parts: The items of its parts.
        mutating func item(_ item: NewItem, _ parts: [NewItem]) -> ImportRecord.Content {
            var values = [item.secretDigest]
            for part in parts {
                values += [part.attributes.service.hashValue, part.secretDigest]
            }
            values.append(item.attributes.service.hashValue)
            guard item.attributes.account != nil || !self.values.contains(values) else {
                return .shadowed(isSame: true)
            }
            let content = entries.item(item, with: values.hashValue)
            if content.isItem {
                self.values.insert(values)
                secrets.insert(item.secretDigest)
            }
            return content
        }

        /// Returns the item of a part of it.
        mutating func part(_ item: NewItem) -> ImportRecord.Content { entries.item(item) }
    }

    /// Returns what a secret and the parts next to it become.
    private func records(
        _ place: Place, _ neighbours: Neighbours, _ text: Span<UInt8>, _ earlier: inout Earlier
    ) -> [ImportRecord] {
        func left(_ content: ImportRecord.Content) -> [ImportRecord] {
            [ImportRecord(line: place.value.line, range: place.value.removal, content: content)]
        }
        func unreadable(_ reason: String) -> [ImportRecord] { left(.unreadable(reason)) }
        if let reason = exclusion(of: place, neighbours) {
            return left(.skipped(reason: reason))
        }
        guard file.variables?.hasDefault(in: text.extracting(place.value.range)) != true else {
            return unreadable("it is the default of a variable")
        }
        guard let secret = secret(place.value, text) else {
            return unreadable(
                file.format == .pgpass
                    ? "it has more than five fields: a colon in a field takes a backslash before it"
                    : "its value has escapes, comments or several lines")
        }
        if let scope = profile.scope, file.keys.contains(where: { $0.holds == .scope }) {
            let own = neighbours.scopes(of: place.value)
            guard
                !own.isEmpty || place.key.scope != nil
                    || place.key.scope(of: place.value.path) != nil
            else {
                return unreadable("its \(scope.word) is not next to it")
            }
            guard file.format == .pgpass || own.allSatisfy(\.isRead) else {
                return unreadable("its \(scope.word) has escapes, comments or several lines")
            }
        }
        let scope = scope(of: place, neighbours, text)
        let account = account(of: place, neighbours, text)
        guard account != nil || !profile.needsAccount else {
            return unreadable("its account is not next to it")
        }
        guard file.format != .xml || neighbours.isAlone(place.value) else {
            return unreadable("the element around it has further settings")
        }
        let parts = (neighbours.parts[Owner(of: place.value)] ?? []).filter {
            $0.key.label == nil || $0.key.label == place.key.label
        }
        if let reason = defect(of: parts, text) {
            return unreadable(reason)
        }
        let lost = file.losesAccount ? neighbours.accounts[Owner(of: place.value)] : nil
        return login(place, secret, parts, (scope, account), lost, text, &earlier)
    }

    /// Returns what a whole login becomes. Each of its entries has the ranges of all: the login is removed as a whole,
    /// or not at all.
    ///
    /// - Parameter lost: The account if that goes with it, too.
    private func login(
        _ place: Place, _ secret: borrowing Secret, _ parts: [Place],
        _ owner: (scope: String?, account: ByteString?), _ lost: PlainTextValue?,
        _ text: Span<UInt8>, _ earlier: inout Earlier
    ) -> [ImportRecord] {
        var items = parts.compactMap { part -> NewItem? in
            guard let secret = self.secret(part.value, text) else {
                return nil
            }
            return item(part.key.holds, owner, secret)
        }
        var values = parts.map(\.value)
        let given = Set(parts.map(\.key.holds))
        for address in profile.addresses where !given.contains(.part(address.part)) {
            if let server = server(address, owner.scope, text) {
                items.append(item(.part(address.part), owner, Secret(server)))
                values.append(place.value)
            }
        }
        let own = item(.secret, owner, secret)
        let hiding =
            file.format == .pgpass
            ? earlier.hiding(owner.scope, owner.account, at: place.value.removal) : nil
        let content =
            hiding == nil
            ? earlier.item(own, items) : .shadowed(isSame: earlier.hasSecret(of: own))
        var contents: [ImportRecord.Content] = []
        // Without the line that hides one that stays, libpq and the next import would use that.
        var hidingRanges: [Range<Int>] = []
        switch content {
        case .item: contents = items.map { earlier.part($0) }
        case .shadowed(let isSame):
            contents = items.map { _ in .shadowed(isSame: isSame) }
            hidingRanges = isSame ? [] : [hiding].compactMap(\.self)
        default: break
        }
        let entries = zip(values, contents) + [(place.value, content)]
        // The program still reads an address from the file that it gets in no other way.
        let passed = parts.filter { profile.passes($0.key.holds) }.map(\.value)
        let taken = passed + [lost, place.value].compactMap(\.self)
        let ranges = Set(taken.map(\.removal) + hidingRanges)
            .sorted { $0.lowerBound < $1.lowerBound }
        return entries.map { value, content in
            ImportRecord(line: value.line, ranges: ranges, content: content)
        }
    }

    /// Returns the address of a secret's server that the file has elsewhere; without any the usual one, unless the scope
    /// tells such an item from one for any server; nil for any.
    private func server(
        _ address: ServerAddress, _ scope: String?, _ text: Span<UInt8>
    ) -> String? {
        if let own = file.text(of: .part(address.part), in: scope, profile.scope, text) {
            return own
        }
        let entry = profile.scope?.server?.itemEntries.first { $0.path == file.path }
        if let scope, let own = entry?.name(in: text, section: scope) {
            return own
        }
        return profile.scope == nil ? address.usual : nil
    }

    /// Returns why a secret is left, whatever its form; nil if it is not.
    private func exclusion(of place: Place, _ neighbours: Neighbours) -> String? {
        let session = "\(SkipReason.session) \(profile.name) renews"
        switch place.key.exclusion {
        case nil: break
        case .otherUse: return "lanyard run can't pass it to \(profile.name)"
        case .session: return session
        case .encrypted: return "\(profile.name) encrypts it itself"
        }
        return neighbours.sessions.contains(Owner(of: place.value)) ? session : nil
    }

    /// Returns what a secret's parts lack; nil if they are whole.
    private func defect(of parts: [Place], _ text: Span<UInt8>) -> String? {
        if let missing = profile.requiredParts.first(where: { part in
            !parts.contains { $0.key.holds.part == part }
        }) {
            return "its \(missing) is not next to it"
        }
        let unread = parts.first { part in
            switch secret(part.value, text) {
            case .some: false
            case .none: true
            }
        }
        return unread?.key.holds.part.map { "its \($0) has escapes, comments or several lines" }
    }

    private func item(
        _ value: ProfileValue, _ owner: (scope: String?, account: ByteString?),
        _ secret: borrowing Secret
    ) -> NewItem {
        var attributes = ItemAttributes()
        attributes.service = profile.service(of: value, in: owner.scope).map { ByteString($0) }
        attributes.account = owner.account
        return NewItem(.genericPassword, attributes, secret: secret.copy())
    }

    /// Returns a value, nil if it is not read.
    private func secret(_ value: PlainTextValue, _ text: Span<UInt8>) -> Secret? {
        if value.isVerbatim {
            let bytes = text.extracting(file.range(of: value, in: text))
            return Secret(copying: bytes.extracting(bytes.withoutBlanks))
        }
        return value.content?.secret
    }

    /// Returns what the file binds a secret to: a value next to it, or the name of its section; nil for any.
    private func scope(
        of place: Place, _ neighbours: Neighbours, _ text: Span<UInt8>
    ) -> String? {
        guard let scope = profile.scope else {
            return nil
        }
        let own = neighbours.scopes(of: place.value)
        if !own.isEmpty {
            let names = own.map { value in
                let content = file.format == .pgpass ? nil : value.content
                let bytes = content ?? FileBytes(Secret(copying: text.extracting(value.range)))
                return bytes.withBytes {
                    ByteString(copying: $0.extracting($0.withoutBlanks)).description
                }
            }
            let name = names.joined(separator: ":")
            // Without a scope, an item would be for any user, too.
            let isForAll = name == "*:*:*" && neighbours.accounts[Owner(of: place.value)] == nil
            return scope.kind == .server && isForAll ? nil : scope.canonical(name)
        }
        let name =
            place.key.scope(of: place.value.path) ?? place.key.scope ?? neighbours.scope
            ?? scope.fallback
        return name.map(scope.canonical)
    }

    /// Returns the account next to a secret. Without one it is the name of its section, unless that is the scope or
    /// the program would get it as its account.
    private func account(
        of place: Place, _ neighbours: Neighbours, _ text: Span<UInt8>
    ) -> ByteString? {
        if let own = neighbours.accounts[Owner(of: place.value)] {
            return own.bytes(in: text)?.withBytes { bytes in
                ByteString(copying: own.isVerbatim ? bytes.extracting(bytes.withoutBlanks) : bytes)
            }
        }
        guard !profile.values.contains(.account) else {
            return nil
        }
        let names = zip(place.key.path, place.value.path).filter { $0.0 == .any && !$0.1.isEmpty }
            .dropFirst(profile.scope == nil ? 0 : 1)
        let name = names.last.map(\.1).flatMap { $0.lowercased() == "default" ? nil : $0 }
        let words = [name, place.key.label].compactMap(\.self)
        return words.isEmpty ? nil : ByteString(words.joined(separator: "-"))
    }
}
