public import KeychainServices

/// Asks the user for consent, which Return does not give.
///
/// - Throws: ``Status/userCanceled`` without consent, and what ``askForChoice(_:among:preferred:next:hint:)`` throws.
public func askForConsent(
    _ question: String, next: String? = nil, hint: String
) throws(KeychainError) {
    guard try askYesOrNo(question, next: next, hint: hint, isYesByDefault: false) else {
        throw KeychainError(.userCanceled, "nothing was changed")
    }
}

/// Asks the user a question whose answer is yes or no. Where a secret is asked for next, the terminal does not show the
/// answer: it may be that secret, typed too early.
///
/// - Parameter isYesByDefault: Whether Return means yes.
/// - Returns: Whether the answer was yes.
/// - Throws: What ``askForChoice(_:among:preferred:next:hint:)`` throws.
public func askYesOrNo(
    _ question: String, next: String? = nil, hint: String, isYesByDefault: Bool = true
) throws(KeychainError) -> Bool {
    try askForChoice(
        question, among: [Choice("yes", shown: "y"), Choice("no", shown: "n")],
        preferred: isYesByDefault ? 0 : 1, next: next, echo: next == nil, hint: hint) == 0
}

/// A word that answers a question.
public struct Choice {
    fileprivate let word: String
    fileprivate let shown: String

    /// - Parameters:
    ///   - word: In lower case. Its beginning suffices as an answer.
    ///   - shown: What the question shows of it; nil for the whole word.
    public init(_ word: String, shown: String? = nil) {
        self.word = word
        self.shown = shown ?? word
    }
}

/// Asks the user to choose a word, and again, at most three times, if the answer begins none of them.
///
/// Such an answer may be a secret, typed too early: it is wiped, and no message repeats it.
///
/// - Parameters:
///   - choices: At least two.
///   - preferred: The index of the one that Return means.
///   - next: What the user may have answered instead, because it is asked for next, for example `the secret`.
///   - echo: Whether the terminal shows what the user types.
/// - Returns: The index of the chosen word.
/// - Throws: ``Status/userCanceled`` after three invalid answers, and what ``askForSecret(prompt:hint:)`` throws.
public func askForChoice(
    _ question: String, among choices: [Choice], preferred: Int, next: String? = nil,
    echo: Bool = true, hint: String
) throws(KeychainError) -> Int {
    let shown = choices.indices.map { index in
        index == preferred ? choices[index].shown.uppercased() : choices[index].shown
    }
    let prompt = "\(question) [\(shown.joined(separator: "/"))] "
    for _ in 1...3 {
        let answer = try Terminal(hint: hint).readLine(prompt: prompt, echo: echo)
        guard answer.count > 0 else {
            return preferred
        }
        if let chosen = choices.firstIndex(where: { answer.begins($0.word) }) {
            return chosen
        }
        let others = choices.dropLast().map { $0.shown }.joined(separator: ", ")
        let answers = "answer \(others) or \(choices[choices.count - 1].shown)"
        printError(KeychainError(.param, answers + (next.map { "; \($0) comes next" } ?? "")))
    }
    throw KeychainError(.userCanceled, "no answer: nothing was changed", hint: hint)
}

extension Secret {
    /// Whether it is the beginning of a word, in any letter case.
    fileprivate borrowing func begins(_ word: String) -> Bool {
        withBytes { bytes in
            let word = Array(word.utf8)
            return bytes.count <= word.count
                && bytes.indices.allSatisfy { index in
                    let byte = bytes[index]
                    return (0x41...0x5A ~= byte ? byte | 0x20 : byte) == word[index]
                }
        }
    }
}
