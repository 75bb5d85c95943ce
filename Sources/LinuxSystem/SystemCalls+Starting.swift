internal import CLinux
package import Glibc

extension SystemCalls {
    /// Starts a program with the environment of ours, in which it must not ask by means of us. The
    /// corresponding C function is `posix_spawn`.
    ///
    /// - Parameters:
    ///   - input: What becomes its standard input; /dev/null if there is nothing.
    ///   - output: What becomes its standard output.
    package static func startProcess(
        _ path: String, _ arguments: [String], input: Int32?, output: Int32, showsErrors: Bool
    ) throws(SystemCallError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        if !showsErrors {
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        }
        // Who started us may have left us descriptors: the passphrase's, for example.
        lanyard_add_close_from(&actions, 3)
        var attributes = ordinarySignals()
        defer { posix_spawnattr_destroy(&attributes) }

        let environment = environmentWithoutPrompt()
        let words = ([path] + arguments).map { strdup($0) }
        defer {
            words.forEach { free($0) }
            free(environment[0])
        }
        var identifier: pid_t = 0
        let code = posix_spawn(
            &identifier, path, &actions, &attributes, words + [nil], environment + [nil])
        guard code == 0 else {
            throw SystemCallError(call: "posix_spawn", code: code)
        }
        return identifier
    }

    /// We ignore signals that a program expects to end it.
    private static func ordinarySignals() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        return attributes
    }

    /// - Returns: Our environment behind a first entry, which is the caller's to free.
    private static func environmentWithoutPrompt() -> [UnsafeMutablePointer<CChar>?] {
        let name = "LANYARD_NO_PROMPT="
        var entries = [strdup("\(name)1")]
        var next = lanyard_environment()
        while let entry = next?.pointee {
            if strncmp(entry, name, name.utf8.count) != 0 {
                entries.append(entry)
            }
            next = next?.advanced(by: 1)
        }
        return entries
    }
}
