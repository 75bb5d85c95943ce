internal import KeychainServices

/// How the program was called.
enum ServiceInvocation: Hashable {
    case help
    case version
    /// To serve clients.
    case serve(Options)
    /// To ask the user: what for, about which keychain, for which program.
    case ask(String, keychain: String, program: String?)

    struct Options: Hashable {
        /// Whether to end after a minute without clients.
        var exitsWhenIdle = false
        /// Whether to serve a bus of its own, write its address to standard output, and end with the process that
        /// started this one.
        var hasPrivateBus = false
        /// Whether to take the name over from a program that allows that.
        var replaces = false
    }

    /// Parses arguments.
    ///
    /// - Throws: ``Status/param``.
    init(_ arguments: [String]) throws(KeychainError) {
        if arguments.first == "--ask", arguments.count == 3 || arguments.count == 4 {
            self = .ask(
                arguments[1], keychain: arguments[2],
                program: arguments.count == 4 ? arguments[3] : nil)
            return
        }
        var options = Options()
        for argument in arguments {
            switch argument {
            case "--help", "-h":
                self = .help
                return
            case "--version", "-v":
                self = .version
                return
            case "--exit-when-idle": options.exitsWhenIdle = true
            case "--replace": options.replaces = true
            case "--private-bus": options.hasPrivateBus = true
            default:
                throw KeychainError(
                    .param, "unknown argument '\(argument)'",
                    hint: "lanyard-secret-service --help")
            }
        }
        self = .serve(options)
    }
}
