internal import LanyardConfiguration
internal import KeychainServices
internal import LinuxSystem

/// The program that ssh asks with: the question is its argument, the answer its output's first line.
enum Askpass {
    /// How many milliseconds the user has.
    static let timeLimit: Int64 = 90_000

    /// Asks the user.
    ///
    /// - Returns: The answer; nil without such a program, or if it may not be used here.
    /// - Throws: ``Status/userCanceled`` if the program's exit status says so, after the time limit, and
    ///   for a signal; ``Status/dataTooLarge``.
    static func ask(
        _ question: PassphraseQuestion, timeLimit: Int64 = timeLimit
    ) throws(KeychainError) -> Secret? {
        let text = [question.reason, question.purpose, question.error, question.prompt]
            .compactMap { $0 }
            .joined(separator: "\n")
        switch try run(text, timeLimit: timeLimit) {
        case .success(let output): return try firstLine(output)
        case .failure(.deadline): throw KeychainError.unanswered
        case .failure(.tooLong): throw PassphraseQuestion.answerTooLong
        case .failure: throw PassphraseQuestion.cancelled
        case nil: return nil
        }
    }

    /// Asks the user to allow something, as ssh does with SSH_ASKPASS_PROMPT: the program ends with 0,
    /// without an answer or with `yes`.
    ///
    /// - Returns: Whether the user does; nil without such a program, or if it may not be used here.
    static func confirm(_ text: String) throws(KeychainError) -> Bool? {
        switch try run(text, timeLimit: timeLimit, ["SSH_ASKPASS_PROMPT": "confirm"]) {
        case .success(let output):
            let line = try firstLine(output)
            return line.count == 0 || line.withBytes { $0.equalsIgnoringCase("yes") }
        case .failure: return false
        case nil: return nil
        }
    }

    /// Runs the program.
    ///
    /// - Parameter variables: What its environment has instead of our values.
    /// - Returns: Its output; nil without such a program, or if it may not be used here.
    private static func run(
        _ text: String, timeLimit: Int64, _ variables: [String: String] = [:]
    ) throws(KeychainError) -> Result<Secret, LineChannel.Failure>? {
        guard let name = try name(), let path = try programPath(name) else {
            return nil
        }
        let session = try PromptSession()
        let program: ChildProcess
        do throws(SystemCallError) {
            program = try ChildProcess(.outputPipe, signals: session.signals) {
                input, output throws(SystemCallError) in
                try SystemCalls.startProcess(
                    path, [text], input: input, output: output, showsErrors: true,
                    variables: variables)
            }
        } catch {
            return nil
        }
        let deadline = Deadline(milliseconds: timeLimit)
        do throws(LineChannel.Failure) {
            // More lines are no part of the answer.
            let output = try program.channel.readAll(limit: 1 << 20, until: deadline)
            let status = try program.exitStatus(until: deadline)
            return status == 0 ? .success(output) : .failure(.ended)
        } catch {
            return .failure(error)
        }
    }

    private static func firstLine(_ output: borrowing Secret) throws(KeychainError) -> Secret {
        let line = output.prefix(output.firstIndex(of: UInt8(ascii: "\n")) ?? output.count)
        let endsInReturn = line.withBytes { $0.count > 0 && $0[$0.count - 1] == UInt8(ascii: "\r") }
        let answer = line.prefix(line.count - (endsInReturn ? 1 : 0))
        guard answer.count <= PassphraseQuestion.answerLimit else {
            throw PassphraseQuestion.answerTooLong
        }
        return answer
    }

    /// Whether a program is available.
    static func isUsable() throws(KeychainError) -> Bool {
        guard let name = try name() else {
            return false
        }
        return try programPath(name) != nil
    }

    /// Returns the program's name or path, nil without a usable one.
    private static func name() throws(KeychainError) -> String? {
        if let name = try Environment.value("LANYARD_ASKPASS") {
            return name
        }
        // Lanyard's own askpass would search the keychain that is to be unlocked.
        guard let name = try Environment.value("SSH_ASKPASS"),
            name.split(separator: "/").last != "askpass-lanyard"
        else {
            return nil
        }
        switch try Environment.value("SSH_ASKPASS_REQUIRE") {
        case "never": return nil
        case "force", "prefer": return name
        default:
            let isUsed = try Environment.hasDisplay || !ControllingTerminal.isUsable
            return isUsed ? name : nil
        }
    }
}
