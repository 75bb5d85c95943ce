internal import Glibc
internal import LinuxSystem
internal import PluginProcesses
internal import Secrets

/// Runs a presence program to its end: answers one request on standard input, or prints its help or its version.
///
/// If the other side ends while the user is being asked, this process ends at once, with a program that it runs.
///
/// - Parameters:
///   - name: The program's name.
///   - help: What `--help` prints, without the final newline.
package func runPresenceProgram<Prover: PresenceProver>(
    _ type: Prover.Type, name: String, help: String
) -> Never {
    runPluginProgram(name: name, help: help) { servePresence(type) }
}

private func servePresence<Prover: PresenceProver>(_ type: Prover.Type) {
    if SystemCalls.isSocket(0) {
        HangUpWatch.start(0) {
            ProgramRun.killCurrent()
            _exit(1)
        }
    }
    answerPresence(type, LineChannel(input: 0, output: 1))
}

/// Answers one request.
func answerPresence<Prover: PresenceProver>(_ type: Prover.Type, _ channel: LineChannel) {
    var answer = PresenceMessage()
    do throws(KeychainError) {
        guard let line = try? channel.readLine(until: nil) else {
            return
        }
        try carryOut(type, try PresenceMessage(line), channel, &answer)
    } catch {
        answer.error = error
    }
    if let line = try? answer.line() {
        try? channel.write(line, until: nil)
    }
}

private func carryOut<Prover: PresenceProver>(
    _ type: Prover.Type, _ request: consuming PresenceMessage, _ channel: LineChannel,
    _ answer: inout PresenceMessage
) throws(KeychainError) {
    guard request.version == PresenceMessage.version else {
        throw KeychainError(.wrongVersion, "only version 1 of the protocol is supported")
    }
    let deadline = Deadline(
        milliseconds: max(1, request.timeout ?? PresenceProgram.usualTimeLimit))
    func show(_ text: String) {
        var message = PresenceMessage()
        message.message = text
        if let line = try? message.line() {
            try? channel.write(line, until: nil)
        }
    }
    switch request.method {
    case .check: try Prover().check(besides: request.enrollments, until: deadline)
    case .enroll:
        let enrolled = try Prover().enroll(
            besides: request.enrollments, show: show, until: deadline)
        answer.enrollment = enrolled.data
        answer.name = enrolled.name
        answer.secret = enrolled.secret.copy()
    case .prove:
        guard !request.enrollments.isEmpty else {
            throw KeychainError(.param, "the member 'enrollments' is missing or empty")
        }
        let proof = try Prover().prove(request.enrollments, show: show, until: deadline)
        answer.index = Int64(proof.index)
        answer.secret = proof.secret.copy()
    case nil:
        throw KeychainError(.unimplemented, "unknown method")
    }
}
