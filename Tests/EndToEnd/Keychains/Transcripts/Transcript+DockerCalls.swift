@testable import EndToEndRig

extension Transcript {
    private static let ada = #"{"ServerURL":"example.com","Username":"ada","Secret":"pw"}"# + "\n"
    private static let hint = "lanyard: hint: docker-credential-lanyard --help\n"
    private static let version = "docker-credential-lanyard 0.1.0\n"
    private static let noWork = "keychain 'work' not found at 'HOME/data/work.keychain'\n"
    private static let makeWork = "lanyard: hint: lanyard keychain create work\n"

    private static let help = """
        usage: docker-credential-lanyard [--keychain NAME] get|store|erase|list|version
               docker-credential-lanyard --help|--version

        docker's credential helper: stores logins in an encrypted keychain.
        Set it up in ~/.docker/config.json with: { "credsStore": "lanyard" }

        examples:
          docker-credential-lanyard list
          echo registry.example.com | docker-credential-lanyard get

        """

    /// How docker's helper is called, and with which keychain.
    static let dockerCalls = ofDocker([
        Transcript("--help prints the usage", "--help", output: help),
        Transcript("-h, too", "-h", output: help),
        Transcript("--help reads no input", "--help", input: "no request\n", output: help),
        Transcript("--version", "--version", output: version),
        Transcript("-v", "-v", output: version),
        Transcript("version is an action of docker's protocol", "version", output: version),
        Transcript(
            "an unknown action is an error on stdout, where docker looks for it", "approve",
            input: ada, output: "unknown action 'approve'\n", error: hint, status: 1),
        Transcript(
            "an action is spelled in lower case", "GET", input: "example.com",
            output: "unknown action 'GET'\n", error: hint, status: 1),
        Transcript(
            "… and is all of a word", "ge", output: "unknown action 'ge'\n", error: hint, status: 1),
        Transcript("no action", "", output: "missing operation\n", error: hint, status: 1),
        Transcript(
            "only a keychain", "--keychain login", output: "missing operation\n", error: hint,
            status: 1),
        Transcript(
            "more than one action", "get list", output: "more than one operation\n",
            error: hint, status: 1),
        Transcript(
            "a URL is no argument", stored: [ada], "erase example.com",
            output: "more than one operation\n", error: hint, status: 1),
        Transcript(
            "a wrong option", "--colour get", output: "unknown option '--colour'\n",
            error: hint, status: 1),
        Transcript(
            "an option without its value", "--keychain",
            output: "--keychain needs the name of a keychain\n", error: hint, status: 1),
        Transcript(
            "--keychain login is the default", stored: [ada], "--keychain login get",
            input: "example.com", output: ada),
        Transcript(
            "an unknown keychain is empty, and docker goes on", stored: [ada],
            "--keychain work get", input: "example.com",
            output: "credentials not found in native keychain\n",
            error: makeWork, status: 1),
        Transcript(
            "… and nothing is listed", stored: [ada], "--keychain work list", output: "{}\n",
            error: makeWork),
        Transcript(
            "… but nothing can be kept in it", "--keychain work store", input: ada,
            output: noWork, error: makeWork, status: 1),
        Transcript(
            "… nor erased from it", stored: [ada], "--keychain work erase", input: "example.com",
            output: noWork, error: makeWork, status: 1),
        Transcript(
            "docker gives no options: LANYARD_KEYCHAIN", stored: [ada], "store",
            variables: ["LANYARD_KEYCHAIN": "work"], input: ada, output: noWork, error: makeWork,
            status: 1),
        Transcript(
            "a name is no path", "--keychain ../data/login get", input: "example.com",
            output: "invalid keychain name\n",
            error: "lanyard: hint: use up to 64 letters, digits, '_', '-' and '.'\n", status: 1),
        Transcript(
            "no HOME and no LANYARD_HOME", "store",
            variables: ["HOME": nil, "LANYARD_HOME": nil], input: ada,
            output: "neither HOME nor LANYARD_HOME is set\n",
            error:
                "lanyard: hint: set HOME to your home folder, or LANYARD_HOME to a folder for lanyard\n",
            status: 1),
    ])
}
