internal import Glibc
internal import LanyardCertificates
internal import KeychainServices
internal import Keychains
internal import LinuxSystem
internal import ToolHelpers
internal import ToolCatalog
internal import ToolSetup

/// The secrets for a program. A variable that is added again gets its new value.
final class GrantedSecrets {
    private final class Value {
        let name: String
        let secret: Secret

        init(_ name: String, _ secret: consuming Secret) {
            self.name = name
            self.secret = secret
        }
    }

    private var values: [Value] = []
    /// The descriptors of the files, by the names of the variables.
    private var files: [(name: String, descriptor: Int32)] = []
    /// The descriptors of files that are not in a variable.
    private var otherFiles: [Int32] = []
    /// The arguments before the program's own.
    private(set) var arguments: [String] = []

    /// Looks up the values of `.env` files.
    ///
    /// - Throws: ``Status/itemNotFound``; ``Status/param`` for a secret with a NUL, which variables can't
    ///   contain; what the keychain throws.
    func add(_ files: EnvironmentFiles, _ lookup: SecretLookup) throws(KeychainError) {
        for entry in files.entries {
            let value: Secret
            do throws(KeychainError) {
                value = try lookup.value(of: entry.variable.value)
            } catch  where error.status == .itemNotFound {
                throw KeychainError(
                    error.status, "\(entry.name): \(error.reason)", hint: error.hint)
            }
            try add(entry.name, value, hint: nil)
        }
    }

    /// Looks up the secrets of a profile, and creates its files.
    ///
    /// If its items are for other scopes than the program's, the program gets none, and a warning says so.
    ///
    /// - Parameter command: The program and its arguments.
    /// - Throws: As ``ProfileGrant/values(_:_:)``, and for a secret with a NUL.
    func add(
        _ profile: ProfileGrant, _ lookup: SecretLookup, for command: [String]
    ) throws(KeychainError) {
        let request = ProgramRequest(command, profile.profile, try SetupEnvironment()) { name in
            self.text(name)
        }
        guard let values = try profile.values(lookup, request) else {
            return
        }
        for variable in values.profile.variables {
            if let value = try values.value(variable) {
                try add(variable.name, value, hint: nil)
            }
        }
        for file in values.profile.files {
            let content = try values.content(file)
            switch file.place {
            case .variable(let name): try makeFile(name, content)
            case .argument(let argument):
                let descriptor = try GrantedSecrets.makeFile(content)
                otherFiles.append(descriptor)
                arguments.append(
                    argument.replacing("{}", with: GrantedSecrets.path(descriptor)))
            }
        }
    }

    /// Looks up all of them, and creates the files.
    ///
    /// - Parameter program: The end of a command with the program, for hints.
    /// - Throws: ``Status/itemNotFound``; ``Status/param`` for a secret with a NUL, which variables can't
    ///   contain, and for values that netrc can't express; what the keychain throws.
    func add(
        _ grants: SecretGrants, in opened: OpenKeychains, group: ByteString?, for program: String
    ) throws(KeychainError) {
        for grant in grants.grants {
            switch grant.form {
            case .variable:
                try add(
                    grant.name, try secret(grant, opened, group, program),
                    hint: "pass it in a file: --file \(grant.name)=…")
            case .file:
                try makeFile(grant.name, try secret(grant, opened, group, program))
            case .netrc:
                try makeFile(grant.name, try netrc(grant, opened, group))
            case .identity, .certificate, .privateKey:
                try makeFile(grant.name, try pem(grant, opened, group))
            }
        }
    }

    private func secret(
        _ grant: SecretGrants.Grant, _ opened: OpenKeychains, _ group: ByteString?,
        _ program: String
    ) throws(KeychainError) -> Secret {
        let item = grant.items[0]
        for name in [item.name, item.name.ofNameAndAccount].compactMap(\.self) {
            let search = ItemSearch(name: name, group: group, isForReading: true)
            let found = try search.one(
                item.what, in: opened.keychain, opened.store, returns: .data
            ) { match in
                guard match.synchronizable == nil else {
                    return nil
                }
                let account = match.account.map { "--account \(grant.name)=\($0.shellWord) " }
                return "lanyard exec \(match.options)\(grant.form.option) "
                    + "\(grant.name)=\(match.name.shellWord) \(account ?? "")\(program)"
            }
            if let found, let password = ToolHelpers.password(of: found) {
                return password.locked()
            }
        }
        throw missing(
            grant, ItemSearch(name: item.name, group: group, isForReading: true), opened)
    }

    /// Returns the error for a missing item. A name in the form of a reference, which `.env` files have, gets a
    /// hint at the same item in the form of options.
    private func missing(
        _ grant: SecretGrants.Grant, _ search: ItemSearch, _ opened: OpenKeychains
    ) -> KeychainError {
        let what = grant.items[0].what
        let error = search.nothing(what, in: opened.keychain, opened.store)
        let scheme = SecretReference.scheme
        guard error.hint == ItemSearch.listHint,
            let reference = try? SecretReference(what.hasPrefix(scheme) ? what : scheme + what),
            let name = try? ItemName(reference.name, account: reference.account)
        else {
            return error
        }
        var isThere = false
        try? ItemSearch(name: name, group: search.group, isForReading: true).forEach(
            in: opened.keychain, returns: .attributes
        ) { _, _ in
            isThere = true
            return .stop
        }
        guard isThere else {
            return error
        }
        let option = "\(grant.form == .file ? "--file" : "--env") \(grant.name)"
        let account = reference.account.map { " --account \(grant.name)=\($0.shellWord)" } ?? ""
        return KeychainError(
            error.status, error.reason,
            hint: "use \(option)=\(reference.name.shellWord)\(account)")
    }

    private func netrc(
        _ grant: SecretGrants.Grant, _ opened: OpenKeychains, _ group: ByteString?
    ) throws(KeychainError) -> Secret {
        var netrc = Netrc()
        for item in grant.items {
            var isThere = false
            let search = ItemSearch(name: item.name, group: group, isForReading: true)
            try search.forEach(in: opened.keychain, returns: .data) {
                found, attributes throws(KeychainError) in
                if found.itemClass == .internetPassword,
                    let password = ToolHelpers.password(of: found)
                {
                    isThere = true
                    try netrc.add(attributes, password)
                }
                return .next
            }
            guard isThere else {
                throw search.nothing(item.what, in: opened.keychain, opened.store)
            }
        }
        return netrc.finish()
    }

    private func pem(
        _ grant: SecretGrants.Grant, _ opened: OpenKeychains, _ group: ByteString?
    ) throws(KeychainError) -> Secret {
        let keychain = opened.keychain
        let stored = try opened.storedCertificate(
            named: grant.certificate, group: group?.description, validAt: currentTime())
        guard grant.form != .certificate else {
            let text = try keychain.chain(of: stored.certificate).flatMap(\.pem)
            return Secret(copying: text.span)
        }
        let identity = try keychain.identity(of: stored.attributes, stored.certificate)
        return grant.form == .identity ? try identity.pem() : try identity.privateKey.file(.pkcs8)
    }

    /// Returns the text of a variable, nil if it is not set here.
    private func text(_ name: String) -> String? {
        values.first { $0.name == name }.map { value in
            value.secret.withBytes { ByteString(copying: $0).description }
        }
    }

    /// Sets a variable.
    private func add(
        _ name: String, _ secret: consuming Secret, hint: String?
    ) throws(KeychainError) {
        guard secret.withBytes({ bytes in bytes.indices.allSatisfy { bytes[$0] != 0 } }) else {
            throw KeychainError(.param, "the secret for '\(name)' contains a NUL", hint: hint)
        }
        values.removeAll { $0.name == name }
        values.append(Value(name, secret))
    }

    private func makeFile(_ name: String, _ bytes: borrowing Secret) throws(KeychainError) {
        values.removeAll { $0.name == name }
        files.removeAll { $0.name == name }
        files.append((name, try GrantedSecrets.makeFile(bytes)))
    }

    private static func makeFile(_ bytes: borrowing Secret) throws(KeychainError) -> Int32 {
        do throws(SystemCallError) {
            return try SystemCalls.makeSealedMemoryFile(bytes)
        } catch {
            let error = error.keychainError("can't make a file in memory")
            throw KeychainError(
                error.status, error.reason, hint: "lanyard exec --env needs no file")
        }
    }

    /// Returns an argument with names in braces replaced by the paths of files. `${NAME}` is for a shell,
    /// and remains.
    func withPaths(_ argument: String) -> String {
        var text = Array(argument.utf8)
        for (name, descriptor) in files {
            let place = Array("{\(name)}".utf8)
            let path = Array(GrantedSecrets.path(descriptor).utf8)
            var index = 0
            while index + place.count <= text.count {
                let isShells = index > 0 && text[index - 1] == UInt8(ascii: "$")
                if !isShells, text[index..<index + place.count].elementsEqual(place) {
                    text.replaceSubrange(index..<index + place.count, with: path)
                    index += path.count
                } else {
                    index += 1
                }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Passes the variables and the files to the program.
    func hand(to program: inout ProgramReplacement) {
        for value in values {
            program.setVariable(value.name, value.secret)
        }
        for (name, descriptor) in files {
            program.keepOpen(descriptor)
            program.setVariable(name, Secret(GrantedSecrets.path(descriptor)))
        }
        otherFiles.forEach { program.keepOpen($0) }
    }

    /// Returns the path of the file in the program, which has our number, and in all that it starts: npm and others close
    /// the descriptors of their children, for which `/proc/self` then leads to another file.
    private static func path(_ descriptor: Int32) -> String {
        "/proc/\(getpid())/fd/\(descriptor)"
    }
}
