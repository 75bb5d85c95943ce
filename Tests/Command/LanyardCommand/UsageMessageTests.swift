import KeychainServices
import Testing

@testable import LanyardCommand

@Suite("the argument parser's messages in our form")
struct UsageMessageTests {
    @Test(
        "one line, a small letter at the start, no full stop",
        arguments: [
            ("Missing expected argument '<what>'", "missing expected argument '<what>'"),
            ("Error: Unknown option '--x'\nUsage: lanyard", "unknown option '--x'"),
            ("Something is wrong.", "something is wrong"), ("...", ""),
            ("", "invalid arguments"),
            ("\n\n", "invalid arguments"),
            ("  indented\nmore", "indented"),
        ])
    func form(text: String, reason: String) {
        let error = UsageMessage(text, help: "lanyard get --help").error
        #expect(error.reason == reason)
        #expect(error.hint == "lanyard get --help")
    }

    @Test("a list of valid values becomes the hint")
    func values() {
        let error = UsageMessage(
            """
            The value 'x' is invalid for '--for <tool>'. Please provide one of the following:
              - git
              - docker
            """, help: "lanyard set --help"
        ).error
        #expect(error.reason == "the value 'x' is invalid for '--for <tool>'")
        #expect(error.hint == "use one of git, docker")
    }

    @Test("a value that is almost a valid one")
    func nearValues() {
        let list = UsageMessage(
            """
            The value 'dokcer' is invalid for '--for <tool>'. Please provide one of the following:
              - git
              - docker
            """, help: "lanyard set --help"
        ).error
        #expect(list.hint == "did you mean 'docker'?")
        let few = UsageMessage(
            "The value 'sleeep' is invalid for '--on <event>'. Please provide one of 'sleep' and 'end'.",
            help: "lanyard lock --help"
        ).error
        #expect(few.hint == "did you mean 'sleep'?")
    }

    @Test("a few valid values, and another option, are hints")
    func suggestions() {
        let value = UsageMessage(
            "The value 'x' is invalid for '--on <event>'. Please provide one of 'a' and 'b'.",
            help: "lanyard lock --help"
        ).error
        #expect(value.reason == "the value 'x' is invalid for '--on <event>'")
        #expect(value.hint == "use one of 'a' and 'b'")
        let option = UsageMessage(
            "Unknown option '--jsn'. Did you mean '--json'?", help: "lanyard get --help"
        ).error
        #expect(option.reason == "unknown option '--jsn'")
        #expect(option.hint == "did you mean '--json'?")
    }

    @Test(
        "a keychain's name without its option",
        arguments: [
            "status", "lock", "unlock", "passphrase set", "recovery-key remove", "verify",
        ])
    func keychain(command: String) {
        let help = "lanyard \(command) --help"
        let error = UsageMessage("Unexpected argument 'work'", help: help).error
        #expect(error.hint == "--keychain NAME names a keychain; see \(help)")
    }

    @Test(
        "a word too many names the option for it",
        arguments: [
            ("rename", "c", "lanyard rename WHAT ACCOUNT --to NAME, or --to-account ACCOUNT"),
            ("inject", ".env", "lanyard inject --input .env"),
            ("inject", "a b", "lanyard inject --input 'a b'"),
        ])
    func missingOption(command: String, word: String, hint: String) {
        let error = UsageMessage(
            "Unexpected argument '\(word)'", help: "lanyard \(command) --help"
        ).error
        #expect(error.hint == hint)
    }

    @Test("an unknown option is none of a secret's", arguments: ["passphrase set", "unlock"])
    func unknownOption(command: String) {
        let help = "lanyard \(command) --help"
        let error = UsageMessage("Unknown option '--stdin'", help: help).error
        #expect(error.reason == "unknown option '--stdin'")
        #expect(error.hint == help)
    }

    @Test("import without a word points to everything that can be imported")
    func importing() {
        let error = UsageMessage(
            "Missing expected argument '<tool>'", help: "lanyard import tool --help"
        ).error
        #expect(error.hint == "lanyard import --help")
    }

    @Test("not every command that asks for a secret has --stdin")
    func unknownStandardInput() {
        let error = UsageMessage(
            "Unknown option '--stdin'", help: "lanyard passphrase set --help"
        ).error
        #expect(error.reason == "unknown option '--stdin'")
    }

    @Test(
        "an extra argument of what asks for a secret is not repeated: it may be the secret",
        arguments: [
            "Unexpected argument 'hunter2'", "2 unexpected arguments: 'a', 'hunter2'",
            "The option '--stdin' does not take any value, but 'hunter2' was specified",
        ],
        ["set", "unlock", "passphrase set", "recovery-key create", "generate"])
    func secret(text: String, command: String) {
        let error = UsageMessage(text, help: "lanyard \(command) --help").error
        #expect(error.reason == "too many arguments: a secret is never an argument")
        #expect(
            UsageMessage(text, help: "lanyard get --help").error.reason.contains("hunter2"))
    }
}
