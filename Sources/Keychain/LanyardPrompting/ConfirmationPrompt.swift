internal import LanyardConfiguration
package import KeychainServices

/// Asks the user to allow something, in a dialog of another program: pinentry's, or that of the program that
/// ssh asks with. A terminal is not read.
package enum ConfirmationPrompt {
    /// Asks.
    ///
    /// - Parameters:
    ///   - question: What is to be allowed, in lines of at most 300 characters.
    ///   - hint: What to do if the user can't be asked.
    /// - Returns: Whether the user allows it; false also without an answer in time.
    /// - Throws: ``Status/interactionNotAllowed`` if the user can't be asked or LANYARD_NO_PROMPT is set.
    package static func ask(_ question: [String], hint: String) throws(KeychainError) -> Bool {
        try Terminal.checkAskingIsAllowed(hint: hint)
        let text = question.map { harmless(String($0.prefix(300))) }.joined(separator: "\n")
        if let isAllowed = try Pinentry.confirm(text) {
            return isAllowed
        }
        if let isAllowed = try Askpass.confirm(text) {
            return isAllowed
        }
        throw KeychainError(.interactionNotAllowed, "lanyard can't prompt here", hint: hint)
    }

    /// Whether the user can be asked.
    package static var isUsable: Bool {
        get throws(KeychainError) {
            guard (try? Terminal.checkAskingIsAllowed(hint: "")) != nil else {
                return false
            }
            let hasAskpass = try Askpass.isUsable()
            let hasWindows = try Environment.hasDisplay
            let hasPinentry = try programPath("pinentry") != nil
            return hasAskpass || hasWindows && hasPinentry
        }
    }
}
