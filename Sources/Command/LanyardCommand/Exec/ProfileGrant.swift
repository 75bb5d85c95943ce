internal import KeychainServices
internal import LinuxSystem
internal import LanyardPrompting
internal import ToolCatalog

/// The secrets of a profile for a program.
struct ProfileGrant {
    let profile: ToolProfile
    /// The account that the user chose, nil for any.
    let account: String?
    /// The account that the program is asked for: its items and those without account are for it. Nil for any, and if the
    /// user chose one.
    private(set) var asked: String?

    init(_ profile: ToolProfile, account: String?) {
        self.profile = profile
        self.account = account
    }

    /// Parses the value of `--profile`: `NAME` or `NAME/ACCOUNT`.
    init(_ text: String, in catalog: ProfileCatalog) throws(KeychainError) {
        let words = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        profile = try catalog.profile(named: String(words.first ?? ""))
        account = words.count == 2 ? String(words[1]) : nil
    }

    /// Looks up the values for a program.
    ///
    /// - Returns: Nil if the items are for other scopes than the program is asked for, or the program is asked to use
    ///   another file: a warning says so.
    /// - Throws: ``Status/itemNotFound`` for a missing one, ``Status/param`` for one that a file's format
    ///   can't express and for several of which none is chosen, what the keychain throws.
    func values(
        _ lookup: SecretLookup, _ request: ProgramRequest
    ) throws(KeychainError) -> ProfileValues? {
        guard let values = try knownValues(lookup, request) else {
            return nil
        }
        guard !profile.hasAllItems else {
            return values
        }
        try checkEnd(values)
        return try isForOther(values, request, lookup) ? nil : values
    }

    private func knownValues(
        _ lookup: SecretLookup, _ request: ProgramRequest
    ) throws(KeychainError) -> ProfileValues? {
        if let rival = profile.files.flatMap(\.rivals).first(where: request.has) {
            printWarning("\(profile.name) gets no secret: \(rival) names its files")
            return nil
        }
        if let rival = rival(request) {
            printWarning("\(profile.name) gets no secret: \(rival) comes first")
            return nil
        }
        if account == nil, let variable = request.ownVariable {
            if !request.hasFileOfLanyard(variable) {
                printWarning("\(profile.name) gets no secret: \(variable) is set already")
            }
            return nil
        }
        if isUnclear(request) {
            return nil
        }
        if profile.hasAllItems {
            return try allValues(lookup, request)
        }
        let scopes = profile.scope.map { request.scopes($0) }
        if account == nil, let name = request.account(in: scopes) {
            var grant = self
            grant.asked = name
            return try grant.knownValues(lookup, request, scopes)
        }
        return try knownValues(lookup, request, scopes)
    }

    private func knownValues(
        _ lookup: SecretLookup, _ request: ProgramRequest, _ scopes: ProgramRequest.Scopes?
    ) throws(KeychainError) -> ProfileValues? {
        if try areOfOthers(lookup, request) {
            return nil
        }
        var wanted: [(address: ServerAddress, text: String)] = []
        for address in profile.addresses {
            let isHost = profile.scope?.kind == .host && scopes?.areAsked == true
            let name = scopes?.names.first ?? profile.scope?.fallback
            if let text = address.asked(request.words, in: name, request.variable)
                ?? (isHost ? scopes?.names.first : nil)
            {
                wanted.append((address, text))
            }
            if let text = request.projectText(of: address) {
                wanted.append((address, text))
            }
        }
        var others: [String] = []
        let areUnknown = scopes?.areUnknown == true
        if !wanted.isEmpty, account == nil, areUnknown || scopes?.areAsked != true {
            var meant: [ProfileValues] = []
            var hasOther = false
            for place in try places(lookup) {
                guard let item = try lookup.find(place) else {
                    continue
                }
                let values = ProfileValues(
                    profile, [.init(item, scope: place.scope)], place.scope, lookup)
                var isMeant: Bool?
                for (address, text) in wanted {
                    if let stored = try values.text(of: address) {
                        others.append(stored)
                        isMeant = isMeant != false && ServerAddress.areSame(stored, text)
                    }
                }
                if isMeant == true {
                    meant.append(values)
                }
                hasOther = hasOther || isMeant == nil
            }
            // Of an item without an address, only a file says whether it is for this server.
            if meant.count == 1, !(areUnknown && hasOther) {
                return meant[0]
            }
        }
        guard let values = try values(lookup, request, scopes) else {
            return nil
        }
        for (address, text) in wanted {
            if let stored = try values.text(of: address), !ServerAddress.areSame(stored, text) {
                let part = profile.addresses.count > 1 ? "the \(address.part) " : ""
                warn(
                    "\(part)'\(harmless(text.withoutUser))'", others.isEmpty ? [stored] : others)
                return nil
            }
        }
        let asked = wanted.map(\.address)
        for address in profile.addresses where !asked.contains(address) {
            guard let stored = try values.text(of: address) else {
                continue
            }
            var texts = fileTexts(of: address, for: values, request, scopes)
            // The program asks its usual server if its file is gone.
            if texts.isEmpty, !profile.passes(.part(address.part)) {
                texts = [address.usual].compactMap(\.self)
            }
            if let text = texts.first(where: { !ServerAddress.areSame(stored, $0) }) {
                warn("'\(harmless(text.withoutUser))'", [stored])
                return nil
            }
        }
        return values
    }

    /// Returns the addresses that the program's files have for the scope in use: they may have changed, or be others than
    /// those of the secret.
    private func fileTexts(
        of address: ServerAddress, for values: ProfileValues, _ request: ProgramRequest,
        _ scopes: ProgramRequest.Scopes?
    ) -> [String] {
        let name = values.scope ?? scopes?.names.first ?? profile.scope?.fallback
        let server = profile.scope?.server == nil ? nil : scopes?.server
        return request.texts(of: .part(address.part), in: name, scopes)
            + [server].compactMap(\.self)
    }

    private func values(
        _ lookup: SecretLookup, _ request: ProgramRequest, _ scopes: ProgramRequest.Scopes?
    ) throws(KeychainError) -> ProfileValues? {
        if let server = scopes?.otherServer, let scope = profile.scope,
            let name = scopes?.names.first
        {
            printWarning(
                "\(profile.name) gets no secret: it is asked for '\(harmless(server.withoutUser))',"
                    + " which is not the server of the \(scope.word) '\(harmless(name))'")
            return nil
        }
        let wanted = scopes?.names.first ?? profile.scope?.fallback
        if let scope = profile.scope, let scopes {
            // The user's own choice comes before the program's.
            let isChosen = try ItemSearch.accountOfEnvironment() != nil || account != nil
            for name in scopes.names {
                let account =
                    isChosen ? account : request.activeAccount(scope, in: name)
                if let item = try find(lookup, in: name, account) {
                    return ProfileValues(profile, [.init(item, scope: name)], wanted, lookup)
                }
                // The account of an item for any scope may be its name.
                if self.account == nil, asked == nil, !profile.values.contains(.account),
                    let item = try find(lookup, in: nil, name)
                {
                    return ProfileValues(profile, [.init(item, scope: nil)], wanted, lookup)
                }
            }
        }
        let meant = profile.scope.flatMap { request.activeAccount($0, in: nil) }
        for name in [account ?? meant, account] {
            if let item = try find(lookup, in: nil, name) {
                return ProfileValues(profile, [.init(item, scope: nil)], wanted, lookup)
            }
        }
        guard let scope = profile.scope, let scopes else {
            throw try missing(lookup)
        }
        if let account, !scopes.areAsked, let item = try find(lookup, in: account, nil) {
            return ProfileValues(profile, [.init(item, scope: account)], account, lookup)
        }
        let places = try places(lookup)
        guard !places.isEmpty else {
            throw try missing(lookup)
        }
        let defaults = places.filter(\.isDefault)
        if scopes.names.isEmpty, let place = (defaults.count == 1 ? defaults : places).first,
            defaults.count == 1 || places.count == 1, let item = try lookup.find(place)
        {
            return ProfileValues(
                profile, [.init(item, scope: place.scope)], place.scope, lookup)
        }
        let name = scopes.names.first
        warn(
            name.map { "the \(scope.word) '\(harmless($0.withoutUser))'" }
                ?? "no \(scope.word)",
            places.compactMap(\.scope))
        if let name {
            let setup = try lookup.setupCommand(ofHelperFor: profile.name, item: name)
            printHint(
                setup.map { "\($0) makes \(profile.name) ask for them, without lanyard run" }
                    ?? SecretLookup.setCommand("\(profile.name)@\(name.withoutUser)", nil))
        } else if let other = places.compactMap(\.scope).first {
            printHint(
                "lanyard run \(SecretLookup.option("--account", other))\(request.program.shellWord)"
            )
        }
        return nil
    }

    /// Returns the items with the profile's secrets that may be for the account in use.
    func places(_ lookup: SecretLookup) throws(KeychainError) -> [SecretLookup.Place] {
        let all = try lookup.places(of: profile, account: account)
        return asked.map { name in
            all.filter { $0.account.isEmpty || $0.account == ByteString(name) }
        } ?? all
    }

    /// Returns the item of a scope. An account that only a file names is no obstacle.
    private func find(
        _ lookup: SecretLookup, in scope: String?, _ account: String?
    ) throws(KeychainError) -> SecretLookup.Found? {
        let service = profile.service(of: .secret, in: scope) ?? ""
        if let asked {
            if let item = try lookup.find(service, account: asked) {
                return item
            }
            return try lookup.find(service, account: "")
        }
        if let item = try lookup.find(service, account: account) {
            return item
        }
        return account == nil || account == self.account || scope == nil
            ? nil : try lookup.find(service, account: nil)
    }

    /// Returns the values of all items for the program's server; the program chooses among them.
    private func allValues(
        _ lookup: SecretLookup, _ request: ProgramRequest
    ) throws(KeychainError) -> ProfileValues? {
        let places = try lookup.places(of: profile, account: account)
        guard !places.isEmpty else {
            throw try missing(lookup)
        }
        var meant = places
        if profile.scope != nil {
            let systemUser = request.systemUser
            let target = PostgreSQLTarget(
                request.program, request.words, systemUser: systemUser, request.variable)
            if let word = target.ownPassword {
                printWarning("\(profile.name) gets no secret: the connection's \(word) comes first")
                return nil
            }
            meant = places.filter { $0.scope.map(target.matches) ?? true }
            if let user = target.user {
                meant = meant.filter { $0.account == ByteString(user) || $0.account.isEmpty }
            }
            guard !meant.isEmpty else {
                warn(
                    "'\(harmless(target.shown))'",
                    places.map { place in
                        let user = place.account.isEmpty ? "" : " as \(place.account)"
                        return "\(place.scope ?? "*:*:*")\(user)"
                    })
                let line = target.line.map { "\(profile.name)@\($0)" } ?? profile.name
                printHint(SecretLookup.setCommand(line, target.user))
                return nil
            }
            meant = ProfileGrant.ordered(meant)
            if target.user == nil, account == nil {
                meant = try chosen(
                    meant, lookup, systemUser: target.hasService ? nil : systemUser)
            }
        }
        var items: [ProfileValues.Item] = []
        for place in meant {
            if let item = try lookup.only(place) {
                items.append(.init(item, scope: place.scope))
            }
        }
        return ProfileValues(profile, items, nil, lookup)
    }

    /// Returns the items of the account that the user's environment names, or of the default one. Without these it is all of
    /// them: libpq takes that of the user's own name.
    ///
    /// - Parameter systemUser: The user whom libpq asks for, nil for one that a file may name.
    /// - Throws: ``Status/param`` if that user has none, and several others do; ``Status/itemNotFound`` if all belong to other
    ///   accounts than the environment's.
    private func chosen(
        _ places: [SecretLookup.Place], _ lookup: SecretLookup, systemUser: String?
    ) throws(KeychainError) -> [SecretLookup.Place] {
        func ofAccount(_ account: ByteString) -> [SecretLookup.Place] {
            let own = places.filter { $0.account == account }
            return own.isEmpty ? places.filter(\.account.isEmpty) : own
        }
        if let name = try ItemSearch.accountOfEnvironment() {
            let own = ofAccount(ByteString(name))
            guard own.isEmpty else {
                return own
            }
            throw try lookup.others(places, profile.name, than: name)
        }
        // Those of a server come before those of any.
        let own = places.filter { $0.scope != nil }
        let near = own.isEmpty ? places : own
        if let place = near.first(where: \.isDefault) {
            return ofAccount(place.account)
        }
        let accounts = Set(near.map(\.account))
        guard let systemUser, accounts.isDisjoint(with: ["", ByteString(systemUser)]) else {
            return places
        }
        guard accounts.count == 1 else {
            throw try lookup.several(near, profile.name)
        }
        return ofAccount(near[0].account)
    }

    /// Returns lines of libpq's password file, which takes the first that matches. No line of the file comes after one that
    /// is for all that it is for: an import leaves such lines out.
    private static func ordered(_ places: [SecretLookup.Place]) -> [SecretLookup.Place] {
        var lines: [SecretLookup.Place] = []
        for place in places {
            let next = lines.firstIndex { line in
                (line.account.isEmpty || line.account == place.account)
                    && PostgreSQLTarget.covers(line.scope, place.scope)
            }
            lines.insert(place, at: next ?? lines.endIndex)
        }
        return lines
    }

    private func missing(_ lookup: SecretLookup) throws(KeychainError) -> KeychainError {
        let command = profile.setCommand(account: account)
        let isOfHelper = try lookup.places(of: profile, account: nil).isEmpty
        if isOfHelper, let setup = try lookup.setupCommand(ofHelperFor: profile.name) {
            return KeychainError(
                .itemNotFound,
                "item '\(profile.name)' not found: Lanyard has secrets for the helper of \(profile.name)",
                hint: "\(setup) makes \(profile.name) ask for them, without lanyard run")
        }
        let copy = lookup.keychain.copyCommand(for: profile)
        return try lookup.missing(
            profile.name, account: account,
            hint: copy
                ?? profile.origin.map { "\(command) stores \(profile.nameOfSecret) from \($0)" }
                ?? command)
    }

    /// Says that the program gets no secret.
    ///
    /// - Parameters:
    ///   - wanted: What it is asked for, in a sentence.
    ///   - names: What there are secrets for.
    func warn(_ wanted: String, _ names: [String]) {
        let names = Set(names).sorted()
        let listed =
            names.prefix(5).map { "'\(harmless($0.withoutUser))'" }.joined(separator: ", ")
            + (names.count > 5 ? " …" : "")
        printWarning("\(profile.name) gets no secret: it is asked for \(wanted), and has \(listed)")
    }
}
