internal import Glibc
internal import LinuxSystem
internal import Secrets

/// Runs a transport's program to its end: serves the transport, or prints its help or its version.
///
/// - Parameters:
///   - name: The program's name.
///   - help: What `--help` prints, without the final newline.
package func runSyncPlugin<Server: SyncServer>(
    _ type: Server.Type, name: String, help: String
) -> Never {
    endInOneLineWithoutMemory(status: 1)
    do throws(KeychainError) {
        try hardenProcess()
        switch CommandLine.arguments.dropFirst().first {
        case "--help", "-h": try tell(help)
        case "--version", "-v": try tell("\(name) \(version)")
        case nil: serveSyncPlugin(type)
        default:
            throw KeychainError(.param, "\(name) takes no arguments", hint: "\(name) --help")
        }
    } catch {
        var text = "lanyard: error: \(error.reason)\n"
        if let hint = error.hint {
            text += "lanyard: hint: \(hint)\n"
        }
        try? SystemCalls.writeAll(STDERR_FILENO, Array(text.utf8).span)
        exit(1)
    }
    exit(0)
}

private func tell(_ text: String) throws(KeychainError) {
    do throws(SystemCallError) {
        try SystemCalls.writeAll(STDOUT_FILENO, Array("\(text)\n".utf8).span)
    } catch {
        throw error.keychainError("can't write the answer")
    }
}
