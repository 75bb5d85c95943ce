internal import KeychainServices

/// How the program was called.
enum ServiceInvocation: Hashable {
    case help
    case version
    /// To tell which program is the Secret Service on the session's bus.
    case report
    /// To let the session's bus read its service files again, and tell whether one of them is Lanyard's.
    case reloadBus
    /// To serve clients.
    case serve(Options)
    /// To ask the user: what for, about which keychain, for which program.
    case ask(String, keychain: String, program: String?)

    struct Options: Hashable {
        /// After how many seconds without clients to end; nil for never.
        var idleSeconds: UInt32?
        /// The process for which to serve a bus of its own: writes the bus' address to standard output, and ends with
        /// that process. Nil for the session's bus.
        var privateBusOwner: Int32?
        /// Whether to take the name over from a program that allows that.
        var replaces = false
        /// What clients see; only a bus of its own narrows it.
        var scope = ServiceScope()
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
            case "--report":
                self = .report
                return
            case "--reload-bus":
                self = .reloadBus
                return
            case "--exit-when-idle": options.idleSeconds = ServiceInvocation.usualIdleSeconds
            case "--replace": options.replaces = true
            case _
            where Int32(argument.dropFirst("--private-bus=".count)) != nil
                && argument.hasPrefix("--private-bus="):
                options.privateBusOwner = Int32(argument.dropFirst("--private-bus=".count))
            case _ where argument.hasPrefix("--keychain=") && options.privateBusOwner != nil:
                options.scope.keychain = String(argument.dropFirst("--keychain=".count))
            case _ where argument.hasPrefix("--group=") && options.privateBusOwner != nil:
                options.scope.group = ByteString(String(argument.dropFirst("--group=".count)))
            case _ where argument.hasPrefix("--exit-when-idle="):
                options.idleSeconds = try ServiceInvocation.idleSeconds(argument)
            default:
                throw KeychainError(
                    .param, "unknown argument '\(argument)'",
                    hint: "lanyard-secret-service --help")
            }
        }
        self = .serve(options)
    }

    private static let usualIdleSeconds: UInt32 = 60

    private static func idleSeconds(_ argument: String) throws(KeychainError) -> UInt32 {
        guard let seconds = UInt32(argument.dropFirst("--exit-when-idle=".count)),
            seconds <= 86_400
        else {
            throw KeychainError(
                .param, "'\(argument)' has no number of seconds up to a day",
                hint: "lanyard-secret-service --exit-when-idle=60")
        }
        return seconds
    }
}
