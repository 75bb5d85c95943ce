internal import CLinux
internal import Glibc

extension SystemCalls {
    /// Starts a program, by default with our environment, except that by default it must not ask the user
    /// through us. The corresponding C function is `posix_spawn`.
    ///
    /// - Parameters:
    ///   - name: The first of its arguments; nil for its path.
    ///   - input: Its standard input; nil for /dev/null.
    ///   - output: Its standard output; nil for /dev/null.
    ///   - errors: Its standard error; nil for ours, or for /dev/null.
    ///   - inherited: Another descriptor that it gets, as its descriptor 3.
    ///   - mayAsk: Whether it may ask the user, unless our environment forbids that to us.
    ///   - isOwnSession: Whether it gets a session of its own, without our terminal. The
    ///     corresponding flag is POSIX_SPAWN_SETSID.
    ///   - defaults: Variables that it gets if our environment lacks them.
    ///   - variables: Variables that it gets instead of ours.
    ///   - withheld: The beginnings of the names of our variables that it does not get.
    ///   - inheritsVariables: Whether it gets our other variables, too.
    package static func startProcess(
        _ path: String, as name: String? = nil, _ arguments: [String], input: Int32?,
        output: Int32?, errors: Int32? = nil,
        showsErrors: Bool = false, inherited: Int32? = nil, mayAsk: Bool = false,
        isOwnSession: Bool = false, defaults: [String: String] = [:],
        variables: [String: String] = [:], withheld: [String] = [], inheritsVariables: Bool = true
    ) throws(SystemCallError) -> Int32 {
        // Safe: the actions are initialized first and destroyed last; their paths are literals.
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        if let input {
            unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        if let output {
            unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        if let errors {
            unsafe posix_spawn_file_actions_adddup2(&actions, errors, 2)
        } else if !showsErrors {
            unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        }
        // We may have inherited descriptors, for example that of the passphrase.
        if let inherited {
            unsafe posix_spawn_file_actions_adddup2(&actions, inherited, 3)
        }
        unsafe lanyard_add_close_from(&actions, inherited == nil ? 3 : 4)
        var attributes = ordinarySignals(isOwnSession: isOwnSession)
        defer { unsafe posix_spawnattr_destroy(&attributes) }

        // Safe: both lists end with NULL. Their texts live until the program has started; only
        // copies made here are freed.
        let ours = unsafe ownVariables(defaults, variables, mayAsk: mayAsk)
        let environment = unsafe inheritsVariables ? environment(behind: ours, withheld) : ours
        let words = unsafe ([name ?? path] + arguments).map { unsafe strdup($0) }
        defer {
            unsafe words.forEach { unsafe free($0) }
            unsafe ours.forEach { unsafe free($0) }
        }
        var identifier: pid_t = 0
        var code = unsafe posix_spawn(
            &identifier, path, &actions, &attributes, words + [nil], environment + [nil])
        if code == EPERM {
            code = unsafe lanyard_spawn_by_vfork(
                &identifier, path, words + [nil], environment + [nil], input ?? -1, output ?? -1,
                errors ?? (showsErrors ? -2 : -1), inherited ?? -1, isOwnSession ? 1 : 0)
        }
        guard code == 0 else {
            throw SystemCallError(call: "posix_spawn", code: code)
        }
        return identifier
    }

    /// Runs a closure in a process of its own, and waits until it has ended or is killed at the deadline. A process
    /// that can't end then, as in a file system that does not answer, holds this one up no longer. The
    /// corresponding C function is `fork`: this process must have no other threads.
    package static func runAside(until deadline: Deadline, _ body: () -> Void) {
        let identifier = lanyard_fork()
        if identifier == 0 {
            body()
            _exit(0)
        }
        if identifier > 0, exitStatus(of: identifier, until: deadline) == nil {
            kill(identifier, SIGKILL)
        }
    }

    /// Returns all values of one of our variables: an environment can have it more than once. The corresponding C
    /// variable is `environ`. Invalid UTF-8 becomes U+FFFD.
    package static func values(ofVariable name: String) -> [String] {
        var values: [String] = []
        // Safe: `environ` ends with NULL, its texts with NUL; no other thread changes it.
        var next = unsafe lanyard_environment()
        while let entry = unsafe next?.pointee {
            if unsafe strncmp(entry, "\(name)=", name.utf8.count + 1) == 0 {
                unsafe values.append(String(cString: entry + name.utf8.count + 1))
            }
            unsafe next = next?.advanced(by: 1)
        }
        return values
    }

    /// Returns attributes that restore signals which we ignore, but which a program expects to end
    /// it.
    private static func ordinarySignals(isOwnSession: Bool) -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        // Safe: local variables, each initialized before its use.
        unsafe posix_spawnattr_init(&attributes)
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(
            &attributes,
            Int16(
                POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
                    | (isOwnSession ? lanyard_POSIX_SPAWN_SETSID : 0)))
        return attributes
    }

    private static let noPrompt = "LANYARD_NO_PROMPT"

    /// - Returns: Entries that the caller must free.
    private static func ownVariables(
        _ defaults: [String: String], _ variables: [String: String], mayAsk: Bool
    ) -> [UnsafeMutablePointer<CChar>?] {
        // Safe: no other thread changes the environment; the texts are copied.
        var ours = defaults.filter { unsafe getenv($0.key) == nil }
        for (name, value) in variables { ours[name] = value }
        if !mayAsk {
            ours[noPrompt] = "1"
        }
        let texts = ours.map { "\($0.key)=\($0.value)" }
        return unsafe texts.map { unsafe strdup($0) }
    }

    /// - Returns: Our environment after other entries, without its own variables of their names.
    private static func environment(
        behind entries: [UnsafeMutablePointer<CChar>?], _ withheld: [String]
    ) -> [UnsafeMutablePointer<CChar>?] {
        // Safe: `environ` ends with NULL, its texts with NUL; no other thread changes it. Each entry has
        // a `=`.
        let names = unsafe entries.map { entry in
            unsafe (entry, strcspn(entry!, "=") + 1)
        }
        var entries = unsafe entries
        var next = unsafe lanyard_environment()
        while let entry = unsafe next?.pointee {
            if unsafe !names.contains(where: { unsafe strncmp(entry, $0.0!, $0.1) == 0 }),
                !withheld.contains(where: {
                    unsafe strncmp(entry, $0, $0.utf8.count) == 0
                })
            {
                unsafe entries.append(entry)
            }
            unsafe next = next?.advanced(by: 1)
        }
        return unsafe entries
    }
}
