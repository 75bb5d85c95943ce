internal import LanyardConfiguration
internal import KeychainServices

/// The argument parser's message in our format: one line, starting in lower case, without a full stop.
struct UsageMessage {
    let error: KeychainError

    private static let areAskingForSecrets = [
        "lanyard set ", "lanyard unlock ", "lanyard passphrase ", "lanyard recovery-key ",
        "lanyard generate ",
    ]

    /// Commands without an argument of their own that act on one keychain.
    private static let areOfOneKeychain = [
        "lanyard status ", "lanyard lock ", "lanyard unlock ", "lanyard passphrase ",
        "lanyard recovery-key ", "lanyard verify ",
    ]

    /// Options that delete, replace, change or show more than the command without them, or skip a question. None is
    /// proposed for a mistyped option: who follows the proposal would lose what the command alone asks about.
    static let neverProposed: Set = [
        "--accept-missing", "--all", "--allow-empty", "--allow-env", "--copy-items", "--default",
        "--fix", "--key", "--negative", "--no-ask", "--offline", "--pkcs12", "--plain-text",
        "--portable", "--print", "--quarantine", "--rekey", "--remove-plain-text", "--replace",
        "--reset", "--secret-service", "--synchronizable", "--to-terminal", "--trust",
        "--trust-all", "--undo", "--yes",
    ]

    /// Whether to propose an option for an unknown one: the parser proposes also what is not alike.
    private static func isProposed(_ option: String, for line: String) -> Bool {
        let typed = line.split(separator: "'").dropFirst().first?.drop { $0 == "-" } ?? ""
        return !neverProposed.contains(option)
            && suggestion(for: String(typed), among: [String(option.drop { $0 == "-" })]) != nil
    }

    /// Returns the hint at the valid value that was perhaps meant by the first quoted word of a line; nil without one.
    private static func valueMeant(_ line: String, _ values: [String]) -> String? {
        let typed = line.split(separator: "'").dropFirst().first.map { String($0) } ?? ""
        return suggestion(for: typed, among: values).map { "did you mean '\($0)'?" }
    }

    /// - Parameters:
    ///   - text: The parser's message.
    ///   - help: The command that shows the help.
    init(_ text: String, help: String) {
        let lines = text.split(separator: "\n").map { line in
            String(line.drop { $0 == " " })
        }
        var line = lines.first ?? "invalid arguments"
        if line.hasPrefix("Error: ") {
            line.removeFirst("Error: ".count)
        }
        while line.hasSuffix(".") {
            line.removeLast()
        }
        // Many valid values follow in lines of their own.
        var hint = help
        let following = ". Please provide one of the following:"
        if line.hasSuffix(following) {
            line.removeLast(following.count)
            let values = lines.filter { $0.hasPrefix("- ") }.map { String($0.dropFirst(2)) }
            hint =
                UsageMessage.valueMeant(line, values)
                ?? "use one of \(values.joined(separator: ", "))"
        }
        if let range = line.firstRange(of: ". Please provide one of ") {
            let values = line[range.upperBound...]
            line = String(line[..<range.lowerBound])
            let quoted = values.split(separator: "'").map { String($0) }.filter {
                !$0.contains(" ")
            }
            hint = UsageMessage.valueMeant(line, quoted) ?? "use one of \(values)"
        }
        if let range = line.firstRange(of: ". Did you mean ") {
            hint = "did you mean \(line[range.upperBound...])"
            line = String(line[..<range.lowerBound])
        }
        if hint.hasPrefix("did you mean '-"),
            !UsageMessage.isProposed(String(hint.split(separator: "'")[1]), for: line)
        {
            hint = help
        }
        if help == "lanyard edit --help",
            ["'--account'", "'--name'", "'--to'"].contains(where: line.contains)
        {
            hint = "lanyard rename WHAT --to-account ACCOUNT, or --to NAME"
        }
        if help == "lanyard edit --help", line.contains("'--expires'") {
            hint = "lanyard set WHAT ACCOUNT --expires WHEN stores it with the secret"
        }
        // The word that is missing may name a file's format as well as a tool.
        if help == "lanyard import tool --help", line.hasPrefix("Missing expected argument") {
            hint = "lanyard import --help"
        }
        // Other names than those of programs with a profile.
        if help.hasPrefix("lanyard setup "), line.lowercased().contains("unexpected argument") {
            hint = "one tool after the other, or lanyard setup for all that are installed"
        }
        // A word that is a group, or what to search for.
        if help == "lanyard list --help", line.lowercased().contains("unexpected argument") {
            hint = "lanyard list --group GROUP, or lanyard find TEXT"
        }
        if help == "lanyard rename --help", line.lowercased().contains("unexpected argument") {
            hint = "lanyard rename WHAT ACCOUNT --to NAME, or --to-account ACCOUNT"
        }
        if help == "lanyard inject --help", line.hasPrefix("Unexpected argument '") {
            let file = line.dropFirst("Unexpected argument '".count).dropLast()
            hint = "lanyard inject --input \(String(file).shellWord)"
        }
        if UsageMessage.areOfOneKeychain.contains(where: help.hasPrefix),
            line.lowercased().contains("unexpected argument")
        {
            hint = "--keychain NAME names a keychain; see \(help)"
        }
        // An extra argument of a command that asks for a secret may be that secret, and must not be printed.
        if UsageMessage.areAskingForSecrets.contains(where: help.hasPrefix),
            line.lowercased().contains("unexpected argument")
                || line.contains("'--stdin'") && !line.hasPrefix("Unknown option")
        {
            line = "too many arguments: a secret is never an argument"
        }
        let first = line.prefix(1)
        error = KeychainError(.param, first.lowercased() + line.dropFirst(), hint: hint)
    }
}
