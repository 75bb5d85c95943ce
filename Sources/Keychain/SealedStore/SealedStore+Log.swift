package import KeychainServices
internal import LinuxSystem

extension SealedStore {
    /// Whether the uses of secrets are logged, in a file beside the keychain. Off by default.
    package var logsUses: Bool {
        get {
            threadLock.acquire()
            defer { threadLock.release() }
            return useLogging != nil
        }
        set {
            threadLock.acquire()
            defer { threadLock.release() }
            useLogging = newValue ? UseLogging() : nil
        }
    }

    /// Returns the log of uses, also of a keychain that is locked, or that logs no longer.
    ///
    /// - Throws: What opening the keychain throws; ``Status/databaseLocked`` if another program holds
    ///   the file; ``Status/writePermissions``, ``Status/io``.
    package func usesSoFar() throws(KeychainError) -> UseLogContent {
        let log = try withoutUnlocking { records throws(KeychainError) in
            UseLog(records.keys, location)
        }
        return try log.read()
    }

    /// Logs uses. A failure is reported once, and fails nothing.
    func log(_ uses: [ItemUse]) {
        threadLock.acquire()
        defer { threadLock.release() }
        guard let logging = useLogging, let log = logging.log, !uses.isEmpty else {
            return
        }
        let time = now()
        do throws(KeychainError) {
            try log.append(
                uses.map { use in
                    LoggedUse(
                        time: time, action: use.action, itemClass: use.itemClass, name: use.name,
                        account: use.attributes.account ?? "",
                        accessGroup: use.attributes.accessGroup ?? "", program: logging.program,
                        requester: use.requester.map(LoggedUse.Program.init) ?? logging.starter,
                        hasMore: use.hasMore)
                })
        } catch {
            if !logging.hasFailed {
                logging.hasFailed = true
                provider?.useIsNotLogged(error)
            }
        }
    }
}

/// The state of a store that logs uses.
final class UseLogging {
    /// The log of the keychain that was opened last.
    var log: UseLog?
    /// Whether a failure was reported.
    var hasFailed = false
    private(set) lazy var program = LoggedUse.Program(
        RunningProcess(RunningProcess.currentID))
    /// The program that started this one.
    private(set) lazy var starter = LoggedUse.Program(RunningProcess.starter)
}
