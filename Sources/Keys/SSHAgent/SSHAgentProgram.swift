internal import LanyardConfiguration
internal import Glibc
internal import KeychainServices
internal import Keychains
internal import LinuxSystem
internal import LanyardPrompting

/// Runs the SSH agent until a signal ends it, or does a piece of work for the agent that started it.
///
/// It exits with 0, or reports an error and exits with 1.
///
/// - Parameter help: What `--help` prints, without the final newline.
package func runSSHAgent(name: String, help: String) -> Never {
    let arguments = ProgramArguments.all()
    endInOneLineAtFaults(status: 1)
    do throws(KeychainError) {
        try hardenProcess()
        switch try AgentInvocation(Array(arguments.dropFirst())) {
        case .help: try writeAnswer(Secret("\(help)\n"))
        case .version: try writeAnswer(Secret("\(name) \(lanyardVersion)\n"))
        case .serve(let socket, let keychain):
            try serve(as: name, socket: socket, keychain: keychain)
        case .work(let keychain): try work(keychain: keychain)
        }
    } catch {
        printError(error)
        _exit(1)
    }
    _exit(0)
}

private func serve(
    as name: String, socket: String?, keychain: String?
) throws(KeychainError) {
    let listener: ListeningSocket
    switch try ListeningSocket.passed() {
    case .some(let passed): listener = passed
    case .none:
        let path: String
        if let socket { path = socket } else { path = try defaultSocket() }
        listener = try .make(at: path)
    }
    let arguments = [AgentInvocation.workArgument] + (keychain.map { ["--keychain", $0] } ?? [])
    let server = AgentServer(
        listener, stop: try StopSignals(), agent: Agent(signing: CertificateSigning()),
        // This file even if an update has replaced it.
        program: WorkerProcess.Program(path: "/proc/self/exe", name: name, arguments: arguments))
    try server.run()
}

/// Returns the path in the user's runtime folder, in a private folder.
///
/// - Throws: ``Status/param`` without a runtime folder.
private func defaultSocket() throws(KeychainError) -> String {
    guard let runtime = try Environment.value("XDG_RUNTIME_DIR"), runtime.hasPrefix("/") else {
        throw KeychainError(
            .param, "XDG_RUNTIME_DIR is not set", hint: "name the socket with --socket")
    }
    let folder = "\(runtime)/lanyard"
    try PrivatePlace.makeFolder(folder)
    return "\(folder)/ssh-agent.socket"
}

private func work(keychain: String?) throws(KeychainError) {
    let request = try WorkerRequest(parsing: try readRequest())
    let worker = AgentWorker(
        keys: KeychainKeys(keychain: keychain), signing: CertificateSigning()
    ) { question throws(KeychainError) in
        try ConfirmationPrompt.ask(question, hint: "install pinentry, or set SSH_ASKPASS")
    }
    let answer = worker.answer(request, reporting: printError)
    warnOfUnusableKeychains()
    try writeAnswer(answer.message)
}
