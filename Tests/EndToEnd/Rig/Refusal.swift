import Testing

/// Expects what every refusal is: exit 1, nothing on stdout, one line that says what is wrong and
/// at most one that says what to do.
///
/// - Parameters:
///   - fragment: What the line must say: the reason counts too.
///   - secret: What must not be printed.
/// - Returns: The hint, if there is one.
@discardableResult
func expectRefusal(
    _ outcome: Outcome, _ fragment: String, secret: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) -> String? {
    var lines = outcome.errorText.split(separator: "\n", omittingEmptySubsequences: false)
    let isWhole = lines.popLast() == ""
    let message = lines.first ?? ""
    let hint = lines.dropFirst().first.map { $0.wholeMatch(of: /lanyard: hint: (.*[^. ])/) }
    // Lower case, but for a name such as LANYARD_HOME; no full stop.
    let form = /lanyard: error: ([^A-Z ]|[A-Z]{2}).*[^. ]/
    let problems = [
        outcome.status == 1 ? nil : "the status is not 1",
        outcome.output.isEmpty ? nil : "something is on stdout",
        isWhole && lines.count <= 2 ? nil : "stderr is not one line or two",
        message.wholeMatch(of: form) == nil ? "the message has not our form" : nil,
        message.contains(fragment) ? nil : "the message does not say: \(fragment)",
        hint.map { $0 == nil } == true ? "the second line is no hint" : nil,
        secret.map(outcome.errorText.contains) == true ? "the secret is on stderr" : nil,
    ].compactMap(\.self)
    #expect(problems.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
    return hint.flatMap { $0 }.map { String($0.1) }
}

/// Expects what every refusal to docker is: exit 1, one line on stdout that says what is wrong, and
/// at most one on stderr that says what to do.
///
/// - Parameters:
///   - beginning: What the line begins with.
///   - secret: What must not be printed.
func expectDockerRefusal(
    _ outcome: Outcome, _ beginning: String, secret: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let hint = outcome.errorText
    let problems = [
        outcome.status == 1 ? nil : "the status is not 1",
        outcome.outputText.wholeMatch(of: /[^\n]*[^. \n]\n/) == nil
            ? "stdout is not one line" : nil,
        outcome.outputText.hasPrefix(beginning) ? nil : "it does not begin with: \(beginning)",
        hint.isEmpty || hint.wholeMatch(of: /lanyard: hint: [^\n]*[^. \n]\n/) != nil
            ? nil : "stderr is no hint",
        secret.map { outcome.outputText.contains($0) || hint.contains($0) } == true
            ? "the secret is printed" : nil,
    ].compactMap(\.self)
    #expect(problems.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
}
