internal import KeychainServices
internal import Keychains
internal import LanyardPrompting
internal import ToolCatalog

/// What a program is asked for besides the places that its profile knows.
extension ProfileGrant {
    /// Returns the option or variable that gives the program another secret, nil without one.
    func rival(_ request: ProgramRequest) -> String? {
        profile.rivals.first { $0.allSatisfy(request.hasEither) }?.first
            ?? profile.ownSecret(request.has)
            ?? profile.optionWithPassword(request.words)
    }

    /// Whether the arguments don't say enough: a warning says so.
    func isUnclear(_ request: ProgramRequest) -> Bool {
        if let option = request.unclearOption {
            printWarning(
                "\(profile.name) gets no secret: an argument may contain the option \(option)")
            printHint("write \(option) as a word of its own")
            return true
        }
        if account == nil, let scope = profile.scope, let options = request.neededSection(scope) {
            printWarning(
                "\(profile.name) gets no secret: its \(scope.word) depends on \(options[0])")
            printHint(
                "name it with \(options[0]), or the \(scope.word) with \(scope.options[0])")
            return true
        }
        return false
    }

    /// Whether all items belong to other accounts than the program is asked for: a warning says so.
    func areOfOthers(
        _ lookup: SecretLookup, _ request: ProgramRequest
    ) throws(KeychainError) -> Bool {
        guard let asked, try places(lookup).isEmpty else {
            return false
        }
        let others = try lookup.places(of: profile, account: nil).map(\.account.description)
        guard let other = others.first else {
            return false
        }
        warn("the account '\(harmless(asked))'", others)
        printHint(
            "lanyard run \(SecretLookup.option("--account", other))\(request.program.shellWord)")
        return true
    }

    /// - Throws: ``Status/itemNotFound`` for a secret that has expired.
    func checkEnd(_ values: ProfileValues) throws(KeychainError) {
        guard let text = try values.text(of: ToolProfile.endPart),
            let end = Array((text.count == 10 ? "\(text)T00:00:00" : text).utf8).span.date,
            end < currentTime()
        else {
            return
        }
        throw KeychainError(
            .itemNotFound, "the secret for \(profile.name) has expired, on \(harmless(text))",
            hint: "store a new one: \(profile.setCommand(account: account))")
    }

    /// Whether a secret is for another server than an option or a variable names by which the profile knows none, or the
    /// program is asked to use a file with a secret of its own: a warning says so.
    func isForOther(
        _ values: ProfileValues, _ request: ProgramRequest, _ lookup: SecretLookup
    ) throws(KeychainError) -> Bool {
        if let path = request.fileWithOther(than: values.secret) {
            printWarning(
                "\(profile.name) gets no secret: it is asked to use '\(harmless(path))', which has another"
            )
            return true
        }
        guard let (name, address) = profile.unknownServer(request.words, request.variable) else {
            return false
        }
        var own: [String] = []
        for part in profile.addresses {
            own += [try values.text(of: part)].compactMap(\.self)
        }
        let part = ProfileValue.part(ToolProfile.serverPart)
        let host = profile.scope?.kind == .host ? values.scope : nil
        let services = [host, nil].compactMap { profile.service(of: part, in: $0) }
        for service in services {
            if let stored = try lookup.find(service, account: nil) {
                own.append(stored.secret.withBytes { ByteString(copying: $0).description })
                break
            }
        }
        if let host, host.contains(where: ".:".contains) {
            own.append(host)
        }
        let asked = ServerAddress.host(of: address)
        // Of datadog, for example, the domain of its servers may be named.
        let hosts = own.map(ServerAddress.host)
        let isOwn =
            own.isEmpty
            ? profile.isOfVendor(address)
            : hosts.contains { $0 == asked || $0.hasSuffix(".\(asked)") }
        guard !isOwn else {
            return false
        }
        printWarning(
            "\(profile.name) gets no secret: \(name) names '\(harmless(address.withoutUser))', which is not"
                + " its server")
        printHint(
            "\(SecretLookup.setCommand(services[0], nil)) stores the address that the secret is for"
        )
        return true
    }
}
