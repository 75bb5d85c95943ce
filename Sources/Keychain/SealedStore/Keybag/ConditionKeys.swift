internal import LanyardCryptography
internal import KeychainServices
internal import LinuxSystem

/// The keys for secrets with an access control, and what a call lacks. They live no longer than the call that
/// asked for them.
final class ConditionKeys {
    /// What the last attempt of the call lacked.
    enum Lack {
        /// A class key that an unlocked keychain has.
        case unlocking
        case condition(Missing)
    }

    /// What an access control takes.
    struct Missing {
        /// The item that does not trust the program, nil if that is not missing.
        var distrusting: ItemReference?
        /// The program, nil if it is unknown or trusted.
        var program: TrustedApplication?
        /// Whether it takes the passphrase.
        var takesPassphrase = false
        /// What has the application's password, nil if that is not missing.
        var context: AuthenticationContext?
        /// The item's name, for the question.
        let item: String
        /// The words that name it to a command, nil if commands don't know its class by a name.
        var words: String?
    }

    /// What the program supplies for the items of the present operation.
    var context: AuthenticationContext?
    /// The key of ``ProtectionClass/presence``, nil before the user entered the passphrase.
    var presence: ClassKey?
    private(set) var lack: Lack?
    /// The items whose secrets the user has allowed a program to read in this call.
    private var allowed: [(reference: ItemReference, program: TrustedApplication)] = []
    private var passwords: [PasswordKey] = []

    /// The key made from an application's password.
    private final class PasswordKey {
        let password: Secret
        let key: Secret

        init(_ password: consuming Secret, _ key: consuming Secret) {
            SystemCalls.lockInMemory(password)
            SystemCalls.lockInMemory(key)
            self.password = password
            self.key = key
        }
    }

    /// Begins another attempt.
    func begin() {
        lack = nil
    }

    /// Notes that the call takes an unlocked keychain.
    ///
    /// - Returns: The error for it, ``Status/interactionNotAllowed``.
    func lacksUnlocking() -> KeychainError {
        lack = .unlocking
        return UnlockedKeys.locked
    }

    /// The program that uses the items: the context's requester, otherwise this program. Nil if it
    /// is unknown.
    private var program: TrustedApplication? {
        guard let requester = context?.requester else {
            return .ofThisProgram
        }
        return requester.application
    }

    /// Returns whether the program may read the secret of an item without asking.
    func isTrusted(by attributes: ItemAttributes, _ reference: ItemReference) -> Bool {
        attributes.trust(program)
            || allowed.contains { $0.reference == reference && $0.program == program }
    }

    /// Throws unless the program may read the secret of an item without asking.
    ///
    /// - Throws: ``Status/interactionNotAllowed``.
    func checkTrust(
        by attributes: ItemAttributes, _ reference: ItemReference
    ) throws(KeychainError) {
        guard isTrusted(by: attributes, reference) else {
            let missing = Missing(
                distrusting: reference, program: program,
                item: attributes.shownName(reference.itemClass),
                words: attributes.words(reference.itemClass))
            lack = .condition(missing)
            throw distrusted(missing)
        }
    }

    /// Lets a program read the secret of an item in this call.
    func allow(_ reference: ItemReference, for program: TrustedApplication) {
        allowed.append((reference, program))
    }

    /// Returns whether these keys are enough for an item.
    func areEnough(for attributes: ItemAttributes) throws(KeychainError) -> Bool {
        try lacking(for: attributes).isEmpty
    }

    /// Throws unless these keys are enough for an item; what it takes is the ``lack`` then.
    ///
    /// - Throws: ``Status/interactionNotAllowed``; ``Status/authFailed`` if the program supplies no
    ///   password for the item.
    func check(
        for attributes: ItemAttributes, _ itemClass: ItemClass
    ) throws(KeychainError) {
        let requirements = try lacking(for: attributes)
        guard !requirements.isEmpty else {
            return
        }
        let item = attributes.shownName(itemClass)
        let takesPassword = requirements.applicationPassword
        guard !takesPassword || context?.hasAPassword == true else {
            throw KeychainError(
                .authFailed, "the secret of '\(item)' takes the application's password")
        }
        lack = .condition(
            Missing(
                takesPassphrase: requirements.passphrase,
                context: takesPassword ? context : nil, item: item))
        throw ConditionKeys.locked(item)
    }

    private func lacking(
        for attributes: ItemAttributes
    ) throws(KeychainError) -> AccessControl.Requirements {
        var lacking = try attributes.requirements
        if !lacking.isEmpty {
            lacking.passphrase = lacking.passphrase && presence == nil
            lacking.applicationPassword = lacking.applicationPassword && passwordKey == nil
        }
        return lacking
    }

    /// Makes the key of the application's password, if the context has one.
    func addPassword(
        of context: AuthenticationContext, keychainID: [UInt8]
    ) throws(KeychainError) {
        // A salt that another keychain has not, and that needs no place in the file.
        let salt = KeyedDigest.plain((Array("lanyard application password".utf8) + keychainID).span)
        let stretching = PassphraseStretching(
            salt: Array(salt.prefix(PassphraseStretching.saltSize)))
        switch context.applicationPassword {
        case .some(let password):
            passwords.append(PasswordKey(password.copy(), try stretching.key(password)))
        case .none: break
        }
    }

    /// Lends the key of the context's password to a closure; nil without one.
    func withPasswordKey<Result: ~Copyable>(
        _ body: (borrowing Secret) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result? {
        guard let password = passwordKey else {
            return nil
        }
        return try body(password.key)
    }

    /// The closure of a transaction starts again after a question, and may make its context anew.
    private var passwordKey: PasswordKey? {
        guard let context else {
            return nil
        }
        return passwords.first { context.hasPassword($0.password) }
    }

    /// Returns the error for an item that does not trust the program.
    func distrusted(_ missing: Missing) -> KeychainError {
        KeychainError(
            .interactionNotAllowed,
            "the item '\(missing.item)' does not trust \(name(of: missing.program)), and lanyard can't prompt here",
            hint: missing.program.map { program in
                "lanyard edit --trust '\(program.path)' \(missing.words ?? "ITEM") lets it"
            })
    }

    /// Returns the error for a user who does not let the program read an item.
    func refused(_ missing: Missing) -> KeychainError {
        KeychainError(
            .userCanceled,
            "the item '\(missing.item)' does not trust \(name(of: missing.program))")
    }

    private func name(of program: TrustedApplication?) -> String {
        guard context?.requester != nil else {
            return "this program"
        }
        return program.map { "'\($0.path)'" } ?? "an unknown program"
    }

    static func locked(_ item: String, takesTouch: Bool = false) -> KeychainError {
        let what = takesTouch ? "a touch of the security key" : "the passphrase at each use"
        return KeychainError(
            .interactionNotAllowed,
            "the secret of '\(item)' takes \(what), and lanyard can't prompt here",
            hint: "use it at a terminal, or name a passphrase file in LANYARD_PASSPHRASE_FILE")
    }
}

extension ItemAttributes {
    /// The item's name in questions and errors. It is part of the item's identity, to which the
    /// secret is bound: who writes other attributes must not make a question name another item.
    fileprivate func shownName(_ itemClass: ItemClass) -> String {
        guard itemClass != .key else {
            return shownNameOfKey
        }
        let name = (itemClass == .internetPassword ? server : service)?.description ?? ""
        guard let account, !account.isEmpty else {
            return name
        }
        return name.isEmpty ? account.description : "\(name) (\(account))"
    }

    /// The name and the account as a shell's words; nil for classes without such a name.
    fileprivate func words(_ itemClass: ItemClass) -> String? {
        let name =
            (itemClass == .internetPassword ? ServerURL.text(self) : service)?.description ?? ""
        guard [.internetPassword, .genericPassword].contains(itemClass), !name.isEmpty else {
            return nil
        }
        let account = (account ?? "").description
        return ([name] + (account.isEmpty ? [] : [account])).map { $0.shellWord }.joined(
            separator: " ")
    }

    /// The tag, otherwise the label of the key's program, in hexadecimal if it is no text.
    private var shownNameOfKey: String {
        let name = [applicationTag, applicationLabel].lazy.compactMap { $0 }.first { !$0.isEmpty }
        guard let name else {
            return "a key"
        }
        let text = String(validating: name.bytes, as: UTF8.self)
        let isText = text?.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return isText == true ? text! : Hexadecimal.encode(name.bytes)
    }
}

extension AuthenticationContext {
    fileprivate var hasAPassword: Bool {
        switch applicationPassword {
        case .some: true
        case .none: false
        }
    }

    /// Returns whether a password is this context's.
    fileprivate func hasPassword(_ other: borrowing Secret) -> Bool {
        switch applicationPassword {
        case .some(let password): password.isEqual(to: other)
        case .none: false
        }
    }
}
