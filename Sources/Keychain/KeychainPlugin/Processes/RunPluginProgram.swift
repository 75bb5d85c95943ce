internal import Glibc
package import LinuxSystem
internal import LanyardSecrets

/// Runs a program that Lanyard starts to its end: serves the other side, or prints its help or its version.
///
/// It exits with 0, or reports an error and exits with 1. If the other side ends in the middle of an answer, this process
/// ends at once, with a program that it runs.
///
/// - Parameters:
///   - name: The program's name.
///   - help: What `--help` prints, without the final newline.
///   - serve: Answers on standard output what is asked on standard input.
package func runPluginProgram(
    name: String, help: String, serve: (LineChannel) -> Void
) -> Never {
    endInOneLineAtFaults(status: 1)
    do throws(KeychainError) {
        try hardenProcess()
        switch ProgramArguments.all().dropFirst().first {
        case "--help", "-h": try tell(help)
        case "--version", "-v": try tell("\(name) \(lanyardVersion)")
        case nil:
            if SystemCalls.isSocket(0) {
                HangUpWatch.start(0) {
                    ProgramRun.killCurrent()
                    _exit(1)
                }
            }
            serve(LineChannel(input: 0, output: 1))
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
