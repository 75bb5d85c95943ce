internal import Glibc
internal import KeychainServices
internal import LinuxSystem
internal import LanyardPrompting

/// Runs the Secret Service until a signal or the bus ends it, or asks the user for the process that started this
/// one.
///
/// It exits with 0, or reports an error and exits with 1.
///
/// - Parameter help: What `--help` prints, without the final newline.
package func runSecretService(name: String, help: String) -> Never {
    let arguments = ProgramArguments.all()
    endInOneLineAtFaults(status: 1)
    do throws(KeychainError) {
        try hardenProcess()
        switch try ServiceInvocation(Array(arguments.dropFirst())) {
        case .help: try writeAnswer(Secret("\(help)\n"))
        case .version: try writeAnswer(Secret("\(name) \(lanyardVersion)\n"))
        #if SecretService
        case .ask(let ask, let keychain, let program):
            try answer(ask, keychain: keychain, program: program)
        case .report: try writeAnswer(Secret(reportOfService(on: try sessionBus())))
        case .reloadBus:
            let isMissing = try sessionBus().reload()?.contains(ownName) == false
            try writeAnswer(Secret(isMissing ? "does not start lanyard\n" : ""))
        case .serve(let options): try serve(options)
        #else
        default:
            throw KeychainError(
                .unimplemented, "this lanyard was built without the Secret Service")
        #endif
        }
    } catch {
        printError(error)
        _exit(1)
    }
    _exit(0)
}
