import Testing

/// Expects what every refusal is: exit 1, nothing on stdout, one line that says what is wrong and
/// at most one that says what to do.
///
/// - Parameters:
///   - fragment: What the line has to say, so that nothing is refused for another reason.
///   - secret: What must not be printed.
/// - Returns: The hint, if there is one.
@discardableResult
func expectRefusal(
    _ outcome: Outcome, _ fragment: String, secret: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) -> String? {
    #expect(outcome.status == 1, "\(outcome)", sourceLocation: sourceLocation)
    #expect(outcome.output.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
    var lines = outcome.errorText.split(separator: "\n", omittingEmptySubsequences: false)
    let ending = lines.popLast()
    #expect(ending == "", "\(outcome)", sourceLocation: sourceLocation)
    let message = lines.first ?? ""
    #expect(
        message.wholeMatch(of: /lanyard: error: [^A-Z ].*[^. ]/) != nil
            || message.wholeMatch(of: /lanyard: error: [A-Z]{2}.*[^. ]/) != nil,
        "\(outcome)", sourceLocation: sourceLocation)
    #expect(message.contains(fragment), "\(outcome)", sourceLocation: sourceLocation)
    #expect((1...2).contains(lines.count), "\(outcome)", sourceLocation: sourceLocation)
    if let secret {
        #expect(!outcome.errorText.contains(secret), "\(outcome)", sourceLocation: sourceLocation)
    }
    guard lines.count == 2 else {
        return nil
    }
    let hint = lines[1].wholeMatch(of: /lanyard: hint: (.*[^. ])/)
    #expect(hint != nil, "\(outcome)", sourceLocation: sourceLocation)
    return hint.map { String($0.1) }
}
