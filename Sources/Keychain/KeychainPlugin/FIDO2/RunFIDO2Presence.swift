internal import LinuxSystem
internal import LanyardSecrets

/// Runs the program to its end: answers one request on standard input, or prints its help or its version. The man
/// page lanyard-plugin(7) describes the protocol.
///
/// - Parameters:
///   - name: The program's name.
///   - help: What `--help` prints, without the final newline.
package func runFIDO2Presence(name: String, help: String) -> Never {
    runPluginProgram(name: name, help: help, serve: answerRequest)
}

private func answerRequest(_ channel: LineChannel) {
    var answer = PresenceMessage()
    do throws(KeychainError) {
        guard let line = try? channel.readLine(until: nil) else {
            return
        }
        try carryOut(try PresenceMessage(line), channel, &answer)
    } catch {
        answer.error = error
    }
    if let line = try? answer.line() {
        try? channel.write(line, until: nil)
    }
}

private func carryOut(
    _ request: consuming PresenceMessage, _ channel: LineChannel, _ answer: inout PresenceMessage
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
    case .check: try FIDO2Prover.check(besides: request.enrollments, until: deadline)
    case .enroll:
        let enrolled = try FIDO2Prover.enroll(
            besides: request.enrollments, show: show, until: deadline)
        answer.enrollment = enrolled.data
        answer.name = enrolled.name
        answer.secret = enrolled.secret.copy()
    case .prove:
        guard !request.enrollments.isEmpty else {
            throw KeychainError(.param, "the member 'enrollments' is missing or empty")
        }
        let proof = try FIDO2Prover.prove(request.enrollments, show: show, until: deadline)
        answer.index = Int64(proof.index)
        answer.secret = proof.secret.copy()
    case nil:
        throw KeychainError(.unimplemented, "unknown method")
    }
}
