internal import LanyardConfiguration
internal import Glibc
internal import KeychainServices
internal import LinuxSystem
internal import LanyardPrompting
internal import SealedStore

/// Unlocks the keychain `login` with the password of a login, for pam_exec(8), and exits.
///
/// pam_exec starts the program twice, because the password and the folder of the session are never there
/// together: with the password, it unlocks the keychain for a minute; when the session begins, until the
/// configured time. Whatever happens, the login goes on: the program prints nothing, takes five seconds at
/// most, and exits with 0. A process of its own does the work: the user can stop that one, and it may wait for a file
/// system that does not answer.
///
/// - Parameters:
///   - name: The executable's name.
///   - help: What `--help` prints, without the final newline.
public func runLoginUnlocking(name: String, help: String) -> Never {
    endInOneLineAtFaults(status: 0)
    let arguments = ProgramArguments.all().dropFirst()
    if (try? Environment.value("PAM_TYPE")) != nil {
        SystemCalls.runAside(until: Deadline(milliseconds: 5000)) {
            try? LoginUnlocking(arguments)?.run()
        }
        _exit(0)
    }
    do throws(KeychainError) {
        try hardenProcess()
        switch arguments.first {
        case "--help", "-h": try writeAnswer(Secret("\(help)\n"))
        case "--version", "-v": try writeAnswer(Secret("\(name) \(lanyardVersion)\n"))
        default:
            throw KeychainError(
                .param, "only pam_exec starts \(name), when a user logs in", hint: "\(name) --help")
        }
    } catch {
        printError(error)
        _exit(1)
    }
    _exit(0)
}

/// A step of a login, and the account of the user.
struct LoginUnlocking {
    private let step: LoginStep
    private let account: UserAccount

    /// - Parameter arguments: `--service NAME` for more services that begin a session.
    /// - Returns: nil if there is nothing to do.
    fileprivate init?(_ arguments: some Collection<String>) {
        guard
            let step = LoginStep.ofEnvironment(
                services: LoginUnlocking.services(in: Array(arguments))),
            let account = UserAccount.find(step.user)
        else {
            return nil
        }
        self.step = step
        self.account = account
    }

    /// Returns the values of `--service`, and ignores everything else.
    static func services(in arguments: [String]) -> [String] {
        zip(arguments, arguments.dropFirst()).filter { $0.0 == "--service" }.map { $0.1 }
    }

    fileprivate func run() throws(KeychainError) {
        // Before all else: until then the program has the rights of root, and the keyring of the caller.
        try hardenProcess(becoming: account.identity)
        let configuration = try Configuration(places: Places(userHome: account.home))
        let unlocker = KeychainUnlocker(
            name: Configuration.login, configuration: configuration, isSilent: true,
            readsStandardInput: true)
        guard
            let store = try configuration.openSealedKeychain(
                Configuration.login, unlocker: unlocker)
        else {
            return
        }
        switch step.kind {
        case .password: try store.unlockForComingSession()
        case .session:
            let timeOut = try configuration.autolock(ofKeychain: Configuration.login)
            try store.unlockForSession(timeout: timeOut.limit)
        }
    }
}
