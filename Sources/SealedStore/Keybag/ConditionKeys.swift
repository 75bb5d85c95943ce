internal import Cryptography
internal import KeychainServices
internal import LinuxSystem

/// The keys for secrets with an access control. They live no longer than the call that asked for
/// them.
final class ConditionKeys {
    /// What the last attempt of the call lacked.
    struct Missing {
        /// The item that does not trust this program, nil if that is not missing.
        var distrusting: ItemReference?
        /// Whether it takes the passphrase.
        var takesPassphrase = false
        /// What has the application's password, nil if that is not missing.
        var context: AuthenticationContext?
        /// The item's name, for the question.
        let item: String
    }

    /// What the program supplies for the items of the present operation.
    var context: AuthenticationContext?
    /// The key of ``ProtectionClass/presence``, nil before the user entered the passphrase.
    var presence: ClassKey?
    private(set) var missing: Missing?
    /// The items whose secrets the user has allowed this call to read.
    private var allowed: [ItemReference] = []
    private var passwords: [PasswordKey] = []

    /// The key made from an application's password.
    private final class PasswordKey {
        let context: AuthenticationContext
        let key: Secret

        init(_ context: AuthenticationContext, _ key: consuming Secret) {
            SystemCalls.lockInMemory(key)
            self.context = context
            self.key = key
        }
    }

    /// Begins another attempt.
    func begin() {
        missing = nil
    }

    /// Returns whether this program may read the secret of an item without asking.
    func isTrusted(by attributes: ItemAttributes, _ reference: ItemReference) -> Bool {
        attributes.trust(.ofThisProgram) || allowed.contains(reference)
    }

    /// Throws unless this program may read the secret of an item without asking.
    ///
    /// - Throws: ``Status/interactionNotAllowed``.
    func checkTrust(
        by attributes: ItemAttributes, _ reference: ItemReference
    ) throws(KeychainError) {
        guard isTrusted(by: attributes, reference) else {
            let item = attributes.shownName(reference.itemClass)
            missing = Missing(distrusting: reference, item: item)
            throw ConditionKeys.distrusted(item)
        }
    }

    /// Lets the call read the secret of an item.
    func allow(_ reference: ItemReference) {
        allowed.append(reference)
    }

    /// Returns whether these keys are enough for an item.
    func areEnough(for attributes: ItemAttributes) throws(KeychainError) -> Bool {
        try lacking(for: attributes).isEmpty
    }

    /// Throws unless these keys are enough for an item; what it takes is ``missing`` then.
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
        guard context != nil || !takesPassword else {
            throw KeychainError(
                .authFailed, "the secret of '\(item)' takes the application's password")
        }
        missing = Missing(
            takesPassphrase: requirements.passphrase,
            context: takesPassword ? context : nil, item: item)
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

    /// Makes the key of an application's password.
    func addPassword(
        of context: AuthenticationContext, keychainID: [UInt8]
    ) throws(KeychainError) {
        // A salt that another keychain has not, and that needs no place in the file.
        let salt = KeyedDigest.plain((Array("lanyard application password".utf8) + keychainID).span)
        let stretching = PassphraseStretching(
            salt: Array(salt.prefix(PassphraseStretching.saltSize)))
        passwords.append(PasswordKey(context, try stretching.key(context.applicationPassword)))
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
        return passwords.first {
            $0.context.applicationPassword.isEqual(to: context.applicationPassword)
        }
    }

    static func distrusted(_ item: String) -> KeychainError {
        let program = TrustedApplication.ofThisProgram?.path.description
        return KeychainError(
            .interactionNotAllowed,
            "the item '\(item)' does not trust this program, and lanyard can't prompt here",
            hint: program.map { "lanyard edit --trust '\($0)', with the item's name, lets it" })
    }

    static func locked(_ item: String) -> KeychainError {
        KeychainError(
            .interactionNotAllowed,
            "the secret of '\(item)' takes the passphrase at each use, and lanyard can't prompt here",
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
