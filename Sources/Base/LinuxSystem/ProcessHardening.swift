internal import CLinux
internal import CFaults
internal import Glibc
package import LanyardSecrets

/// Prepares the process, before anything else: forbids core files, opens missing standard streams,
/// makes failed writes return errors instead of killing, and silences the libraries.
///
/// - Throws: ``Status/missingEntitlement`` if the program has more rights than its user.
package func hardenProcess() throws(KeychainError) {
    prepareProcess()
    if lanyard_is_secure_execution() != 0 {
        throw hasMoreRights
    }
}

/// Gives up all rights but a user's, for good, and then prepares the process as ``hardenProcess()`` does:
/// for a program that a privileged one starts on behalf of the user.
///
/// - Throws: ``Status/missingEntitlement`` if that is impossible, or the program has more rights than
///   the one that started it.
package func hardenProcess(becoming user: UserIdentity) throws(KeychainError) {
    // A setuid copy would let every user act as another.
    guard let program = try? SystemCalls.statusBehindLinks(at: "/proc/self/exe"),
        program.permissions & 0o6000 == 0
    else {
        throw hasMoreRights
    }
    do throws(SystemCallError) {
        try SystemCalls.become(user)
    } catch {
        throw KeychainError(
            .missingEntitlement, "can't act as another user: \(error.words)")
    }
    // Last, because a change of the user makes the process dumpable again.
    prepareProcess()
}

/// Makes the process end with one line on stderr when memory runs out, and when it traps, as an index out of bounds
/// makes it; the Swift runtime would print a stack trace, or nothing.
///
/// - Parameter status: The exit status without memory; a trap ends the process by its signal.
package func endInOneLineAtFaults(status: Int32) {
    lanyard_end_in_one_line_at_faults(status)
}

private var hasMoreRights: KeychainError {
    KeychainError(
        .missingEntitlement,
        "this program must not be installed setuid, setgid or with capabilities")
}

private func prepareProcess() {
    // The keychain's file could get a closed descriptor 2, and messages would overwrite it. The
    // replacement can't be written, because answers must not vanish silently.
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
        // Without /dev, as in some containers, the root folder does as well.
        // Safe: a literal ends with NUL; without O_CREAT there is no third argument.
        if unsafe open("/dev/null", O_RDONLY) == -1,
            unsafe open("/", O_RDONLY | O_DIRECTORY) == -1
        {
            _exit(1)
        }
    }
    _ = lanyard_set_not_dumpable()
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    // Safe: it reads a local variable, and stores nothing.
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    outlive(SIGPIPE)
    outlive(SIGXFSZ)
    // Else the kernel keeps no exit status of a child. A parent that ignores it passes that on.
    signal(SIGCHLD, SIG_DFL)
}

/// Makes a call fail for which a signal would end this process. The signal is not ignored, because a program that
/// replaces this one would ignore it, too; one that was ignored before stays so.
private func outlive(_ number: Int32) {
    var action = sigaction()
    var before = sigaction()
    // Safe: the handler does nothing, and the variables outlive the calls.
    unsafe action.__sigaction_handler.sa_handler = { _ in }
    action.sa_flags = SA_RESTART
    unsafe sigaction(number, &action, &before)
    if unsafe unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self)
        == unsafeBitCast(SIG_IGN, to: Int.self)
    {
        unsafe sigaction(number, &before, nil)
    }
}
