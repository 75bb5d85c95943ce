@testable import EndToEndRig

extension Transcript {
    private static let hint = "lanyard: hint: git-credential-lanyard --help\n"

    private static let help = """
        usage: git-credential-lanyard [--keychain NAME] get|store|erase|capability
               git-credential-lanyard --help|--version

        git's credential helper: stores logins in an encrypted keychain.
        Set it up with: git config --global credential.helper lanyard

        examples:
          printf 'protocol=https\\nhost=example.com\\n' | git-credential-lanyard get
          git config --global credential.helper 'lanyard --keychain work'

        """

    /// How the program is called.
    static let calls = [
        Transcript("--help prints the usage", "--help", output: help),
        Transcript("--help reads no input", "--help", input: "no request\n", output: help),
        Transcript("--help wins over what follows", "--help get more", output: help),
        Transcript("--version", "--version", output: "git-credential-lanyard 0.1.0\n"),
        Transcript(
            "capability prints what git can rely on", "capability",
            output: "version 0\ncapability authtype\ncapability state\n"),
        Transcript(
            "an unknown operation is ignored, and the protocol can grow", "approve",
            input: "protocol=https\nhost=example.com\nusername=ada\npassword=pw\n"),
        Transcript("an unknown operation need not understand its input", "later", input: "x\n"),
        Transcript("the operation is spelled in lower case", "GET", input: "no request\n"),
        Transcript(
            "no operation", "", error: "lanyard: error: missing operation\n\(hint)", status: 1),
        Transcript(
            "only a keychain", "--keychain login",
            error: "lanyard: error: missing operation\n\(hint)", status: 1),
        Transcript(
            "more than one operation", "get store",
            error: "lanyard: error: more than one operation\n\(hint)", status: 1),
        Transcript(
            "an option after the operation", "get --help",
            error: "lanyard: error: more than one operation\n\(hint)", status: 1),
        Transcript(
            "a wrong option", "--colour get",
            error: "lanyard: error: unknown option '--colour'\n\(hint)", status: 1),
        Transcript(
            "a wrong short option", "-k get",
            error: "lanyard: error: unknown option '-k'\n\(hint)", status: 1),
        Transcript(
            "an option without its value", "--keychain",
            error: "lanyard: error: --keychain needs the name of a keychain\n\(hint)", status: 1),
    ]
}
