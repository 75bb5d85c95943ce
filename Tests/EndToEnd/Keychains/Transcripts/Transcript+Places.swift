@testable import EndToEndRig

extension Transcript {
    private static let ada = "protocol=https\nhost=example.com\nusername=ada\npassword=pw\n"
    private static let anyone = "protocol=https\nhost=example.com\n"
    private static let found = "username=ada\npassword=pw\n"
    private static let noWork = """
        lanyard: error: keychain 'work' not found at 'HOME/data/work.keychain'
        lanyard: hint: lanyard keychain create work

        """
    private static let noName = """
        lanyard: error: invalid keychain name
        lanyard: hint: use up to 64 letters, digits, '_', '-' and '.'

        """
    private static let noHome = """
        lanyard: error: neither HOME nor LANYARD_HOME is set
        lanyard: hint: set HOME to your home folder, or LANYARD_HOME to a folder for lanyard

        """
    private static let relative = """
        lanyard: error: LANYARD_HOME is not an absolute path
        lanyard: hint: set LANYARD_HOME to a path that begins with '/'

        """

    /// Which keychain, and where.
    static let places = [
        Transcript(
            "--keychain login is the default", stored: [ada], "--keychain login get",
            input: anyone, output: found),
        Transcript(
            "… also with '='", stored: [ada], "--keychain=login get", input: anyone, output: found),
        Transcript(
            "an unknown keychain is an error for get", stored: [ada], "--keychain work get",
            input: anyone, error: noWork, status: 1),
        Transcript(
            "… for store, which makes none", "--keychain work store", input: ada, error: noWork,
            status: 1),
        Transcript(
            "… and for erase", stored: [ada], "--keychain work erase", input: anyone,
            error: noWork, status: 1),
        Transcript(
            "LANYARD_KEYCHAIN names one", stored: [ada], "get",
            variables: ["LANYARD_KEYCHAIN": "work"], input: anyone, error: noWork, status: 1),
        Transcript(
            "the option wins over it", stored: [ada], "--keychain login get",
            variables: ["LANYARD_KEYCHAIN": "work"], input: anyone, output: found),
        Transcript(
            "empty it counts for nothing", stored: [ada], "get",
            variables: ["LANYARD_KEYCHAIN": ""], input: anyone, output: found),
        Transcript(
            "a name is no path", stored: [ada], "--keychain ../data/login get", input: anyone,
            error: noName, status: 1),
        Transcript(
            "… not for store either", "--keychain a/b store", input: ada, error: noName, status: 1),
        Transcript(
            "a name does not begin with a dot", "--keychain .login get", input: anyone,
            error: noName, status: 1),
        Transcript(
            "… nor with a dash", "--keychain -login get", input: anyone, error: noName, status: 1),
        Transcript(
            "a name is not empty", "--keychain= get", input: anyone, error: noName, status: 1),
        Transcript(
            "a name is plain letters", "--keychain schlüssel get", input: anyone, error: noName,
            status: 1),
        Transcript(
            "a name has an end", "--keychain \(String(repeating: "n", count: 65)) get",
            input: anyone, error: noName, status: 1),
        Transcript(
            "the variable's name is checked too", "get",
            variables: ["LANYARD_KEYCHAIN": "../login"], input: anyone, error: noName, status: 1),
        Transcript(
            "no HOME and no LANYARD_HOME", "get", variables: ["HOME": nil, "LANYARD_HOME": nil],
            input: anyone, error: noHome, status: 1),
        Transcript(
            "… empty ones count for nothing", "store",
            variables: ["HOME": "", "LANYARD_HOME": ""], input: ada, error: noHome, status: 1),
        Transcript(
            "LANYARD_HOME alone is enough", stored: [ada], "get", variables: ["HOME": nil],
            input: anyone, output: found),
        Transcript(
            "a relative LANYARD_HOME", "get", variables: ["LANYARD_HOME": "lanyard"],
            input: anyone, error: relative, status: 1),
        Transcript(
            "… makes nothing anywhere", "store", variables: ["LANYARD_HOME": "./lanyard"],
            input: ada, error: relative, status: 1),
        Transcript(
            "HOME holds a keychain of its own", stored: [ada], "get",
            variables: ["LANYARD_HOME": nil], input: anyone),
    ]
}
