public import KeychainServices
internal import LinuxSystem

/// A prompt that a program was given an answer to: if it asks the same again, the answer was wrong.
///
/// A program that asks by another one starts it anew for each attempt, and tells it nothing of the last one.
/// What is remembered, for a minute, is a digest of the prompt and of the process that asked.
public struct AnsweredPrompt {
    /// How many prompts are remembered.
    private static let limit = 16
    private static let name = "askpass.answered"

    private let note: RuntimeNote
    private let digest: String

    /// A prompt of the process that started this one; nil where there is no runtime folder to remember it
    /// in.
    public init?(_ prompt: String) {
        guard let note = RuntimeNote(AnsweredPrompt.name) else {
            return nil
        }
        self.init(prompt, of: SystemCalls.parentProcess(), note)
    }

    /// A prompt that is remembered in a runtime folder.
    init(_ prompt: String, of process: String, in runtime: String) {
        self.init(prompt, of: process, RuntimeNote(AnsweredPrompt.name, in: runtime))
    }

    private init(_ prompt: String, of process: String, _ note: RuntimeNote) {
        self.note = note
        digest = RuntimeNote.digest("\(process)\n\(prompt)")
    }

    /// Whether the process was answered this prompt less than a minute ago.
    public func isRepeated(now: Timestamp) -> Bool {
        digests(now: now).contains { $0 == digest }
    }

    /// Remembers that the process has an answer now.
    public func remember(now: Timestamp) {
        let others = digests(now: now).filter { $0 != digest }.suffix(AnsweredPrompt.limit - 1)
        note.write((others + [Substring(digest)]).map { "\($0)\n" }.joined())
    }

    private func digests(now: Timestamp) -> [Substring] {
        note.text(now: now)?.split(separator: "\n") ?? []
    }
}
