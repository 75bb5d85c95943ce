internal import CLinux
internal import COutOfMemory
internal import Glibc
package import Secrets

/// Does what every executable does before anything else: forbids core files, makes sure that the
/// standard streams are open, lets writes fail where they would kill, and keeps the libraries silent.
///
/// - Throws: ``Status/missingEntitlement`` if the program was started with more rights than its user
///   has.
package func hardenProcess() throws(KeychainError) {
    try ProcessHardening.apply()
}

/// Has the process end with one line on stderr when it has no memory left, where the Swift runtime would
/// print a stack trace.
///
/// - Parameter status: The exit status.
package func endInOneLineWithoutMemory(status: Int32) {
    lanyard_end_in_one_line_without_memory(status)
}

/// What every executable does before anything else.
enum ProcessHardening {
    /// Forbids core files, makes sure that standard input, output and error are open on something,
    /// lets writes fail where they would kill, and keeps the libraries silent.
    ///
    /// - Throws: ``Status/missingEntitlement`` if the program was started with more rights than its
    ///   user has.
    static func apply() throws(KeychainError) {
        // A closed descriptor 2 would be given to the keychain's file, and messages written there.
        // What takes its place can't be written, so that an answer is not lost without a word.
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
            // Without /dev, as in some containers, the root folder does as well.
            // Safe: a literal has its NUL at the end; without O_CREAT there is no third argument.
            if unsafe open("/dev/null", O_RDONLY) == -1,
                unsafe open("/", O_RDONLY | O_DIRECTORY) == -1
            {
                _exit(1)
            }
        }
        _ = lanyard_set_not_dumpable()
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        // Safe: it reads a local variable, and keeps nothing.
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        if lanyard_is_secure_execution() != 0 {
            throw KeychainError(
                .missingEntitlement,
                "this program must not be installed setuid, setgid or with capabilities")
        }
    }
}
