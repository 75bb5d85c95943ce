internal import ArgumentParser
internal import Glibc
internal import LanyardPrompting
internal import Keychains
internal import KeychainServices
internal import OneTimeCodes
internal import ToolCatalog
internal import ToolHelpers

/// `lanyard set`: stores a secret.
struct SetCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "set", abstract: "Store a secret.",
            discussion:
                "Lanyard asks for the secret at the terminal, or reads it from standard input.",
            aliases: ["add"]
        ).examples(
            "lanyard set backup",
            "lanyard set https://example.com ada",
            "lanyard set --code https://example.com ada",
            "make-token | lanyard set --stdin https://ada@example.com/api"
        ).whenAlone
    }

    @OptionGroup var named: NamedItem
    @Flag(
        help: ArgumentHelp(
            "Read all of standard input, without one newline at the end. A line of a pipe or a file needs no option."
        ))
    var stdin = false
    @Flag(name: .customLong("allow-empty"), help: "Allow an empty secret.")
    var allowEmpty = false
    @Flag(name: .customLong("no-replace"), help: "Fail if the item already exists.")
    var noReplace = false
    @Flag(help: "Replace a secret without asking, and create the group if it is new.")
    var yes = false
    @Flag(
        name: .customLong("code"),
        help: "Store the key of the login's one-time codes: an otpauth URL, or Base32.")
    var isCode = false
    @OptionGroup var group: StoringGroupOption
    @Option(
        help: ArgumentHelp(
            "When git stops using the password: a date, or a time from now such as 90d.",
            valueName: "when"))
    var expires: String?
    @OptionGroup var attributes: AttributeOptions
    @OptionGroup var keychain: KeychainOption

    func validate() throws {
        if isCode, group.name != nil || expires != nil || allowEmpty {
            throw ValidationError(
                "--code can't be combined with --for, --group, --expires or --allow-empty")
        }
    }

    mutating func run() throws {
        let isLine = !stdin && !attributes.negative && standardInputHasContent()
        stdin = stdin || isLine
        let expiry = try expires.map { text throws(KeychainError) in
            try Timestamp(expiry: text, now: currentTime())
        }
        let place = try chosenPlace()
        let item = try ItemToStore(named, attributes, place, keychain)
        if !yes, !isCode {
            try item.checkGroup(hint: "--yes creates it; see lanyard list")
        }
        // Checked before the user types a secret in vain.
        try item.checkAsking()
        if expiry != nil {
            try item.expiryForm()
        }
        let exists = try item.isThere()
        guard !noReplace || !exists else {
            throw KeychainError(
                .duplicateItem, "the item '\(named.what)' already exists",
                hint: "leave --no-replace out to give it a new secret")
        }
        if exists, !stdin, !yes {
            try askForConsent(
                "\(named.what) already has a \(isCode ? "key" : "secret"): replace it?",
                next: attributes.negative ? nil : isCode ? "the key" : "the secret",
                hint: attributes.negative ? "--yes replaces it" : SetCommand.hint)
        }
        let secret = try secret(isLine: isLine)
        let wasThere: Bool
        if noReplace {
            try item.add(secret, expiry: expiry)
            wasThere = false
        } else {
            wasThere = try item.replace(secret, expiry: expiry)
        }
        if stdin, !isCode, secret.withBytes({ $0.count > 0 && $0[$0.count - 1] == 0x0D }) {
            printWarning("the secret ends with a carriage return, as lines on Windows do")
        }
        tell(item, place, wasThere: wasThere)
    }

    private static let hint = "use --stdin"

    /// Whether the user types the secret at the terminal. A negative item has none.
    private var isAsking: Bool { !stdin && !attributes.negative }

    /// Returns the place from the options, or asks the user.
    private func chosenPlace() throws(KeychainError) -> ItemToStore.Place {
        if let tool = group.tool {
            return .tool(tool)
        }
        guard !isCode else {
            return .group(ByteString.codeGroup.description)
        }
        guard group.name == nil, isAsking, attributes.optionForOtherPrograms == nil else {
            return .group(group.name ?? "login")
        }
        let question = ToolQuestion(named, keychain)
        return try question.ask().map { .tool($0) } ?? .group("login")
    }

    /// - Parameter isLine: Whether it may have one line only.
    private func secret(isLine: Bool) throws(KeychainError) -> Secret {
        guard !isCode else {
            let key =
                stdin
                ? try pipedSecret(isLine: isLine)
                : try askForSecret(prompt: "key for \(named.what): ", hint: SetCommand.hint)
            return try OneTimeCodeKey.url(of: key, label: ByteString(named.account ?? named.what))
        }
        if stdin {
            let secret = try pipedSecret(isLine: isLine)
            try check(secret)
            return secret
        }
        return attributes.negative ? Secret("") : try typedSecret()
    }

    /// Reads the secret from standard input, but not from a terminal, which would show it. Several lines without
    /// `--stdin` may be the list that a shell's loop reads, or the rest of its script.
    private func pipedSecret(isLine: Bool) throws(KeychainError) -> Secret {
        guard isatty(0) == 0 else {
            throw KeychainError(
                .param, "standard input is a terminal, which would show the secret",
                hint: "leave --stdin out: lanyard asks for it")
        }
        let secret = try readStandardInput(limit: Keychain.secretLimit)
        guard !isLine || secret.firstIndex(of: UInt8(ascii: "\n")) == nil else {
            throw KeychainError(
                .param, "standard input has more than one line: nothing was changed",
                hint: "--stdin stores all of it as the secret")
        }
        return secret
    }

    /// Asks for a secret twice, and again if the two differ.
    private func typedSecret() throws(KeychainError) -> Secret {
        for _ in 1...3 {
            let secret = try ask("secret for \(named.what): ")
            try check(secret)
            let again = try ask("secret again: ")
            if secret.isEqual(to: again) {
                return secret
            }
            printError(KeychainError(.param, "the secrets don't match"))
        }
        throw KeychainError(.param, "nothing was changed", hint: "run the command again")
    }

    /// Asks at the terminal. Without one, an empty standard input is the reason why it asks at all.
    private func ask(_ prompt: String) throws(KeychainError) -> Secret {
        do throws(KeychainError) {
            return try askForSecret(prompt: prompt, hint: SetCommand.hint)
        } catch {
            guard error.status == .interactionNotAllowed, isatty(0) == 0 else {
                throw error
            }
            throw KeychainError(
                error.status, "the secret is empty, and \(error.reason)",
                hint: "pipe it in; --stdin --allow-empty stores an empty one")
        }
    }

    private func check(_ secret: borrowing Secret) throws(KeychainError) {
        guard secret.count > 0 || allowEmpty || attributes.negative else {
            throw KeychainError(
                .param, "the secret is empty: nothing was changed",
                hint: "--allow-empty stores an empty secret")
        }
    }

    /// Whether an item differs from this one only in being synchronizable.
    private func hasSynchronizableTwin(_ place: ItemToStore.Place) -> Bool {
        guard !attributes.synchronizable else {
            return false
        }
        var twin = attributes
        twin.synchronizable = true
        return (try? ItemToStore(named, twin, place, keychain).isThere()) ?? false
    }

    /// The hint for the secret of a program whose own helper looks elsewhere; nil for others.
    private var setupOfHelper: String? {
        let words = named.what.split(separator: "@", maxSplits: 1).map(String.init)
        guard let name = words.first, let tool = ToolFormat(name: name), !tool.isForServers,
            let profile = ToolProfile.all.first(where: { $0.name == name })
        else {
            return nil
        }
        let scope = words.count == 2 ? words[1] : profile.scope?.fallback
        let setup = (["lanyard", "setup", name] + [scope].compactMap(\.self)).map(\.shellWord)
        return "lanyard run \(name) finds it; for \(name) alone: \(setup.joined(separator: " "))"
    }

    /// Reports the result at a terminal; scripts get the status.
    private func tell(_ item: ItemToStore, _ place: ItemToStore.Place, wasThere: Bool) {
        guard isatty(2) == 1 else {
            return
        }
        let what = "\(wasThere ? "replaced" : "stored") \(item.shownName)"
        switch place {
        case .group:
            printNote(what + item.shared())
            if !wasThere, hasSynchronizableTwin(place) {
                printHint(
                    "another '\(named.what)' travels to your other machines: --synchronizable changes that one"
                )
            }
            if isCode {
                printHint("lanyard code prints a code")
            } else if group.name == nil, let setup = setupOfHelper {
                printHint(setup)
            } else if stdin, group.name == nil, let tool = ToolQuestion(named, keychain).likelyTool
            {
                printHint(
                    "\(tool.name) does not look there: --for \(tool.name) stores it for \(tool.name)"
                )
            }
        case .tool(let tool):
            printNote("\(what) for \(tool.name)\(item.shared())")
        }
    }
}
