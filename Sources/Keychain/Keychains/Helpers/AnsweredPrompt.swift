internal import LanyardConfiguration
public import KeychainServices
internal import LinuxSystem

/// Remembers that a program got an answer to a prompt: if it asks the same again, the answer was wrong.
///
/// A program that uses askpass starts it anew for each attempt and tells it nothing about the last one.
/// Lanyard stores a digest of the prompt and the asking process for a minute.
public struct AnsweredPrompt {
    /// Limits how many prompts are remembered.
    private static let limit = 16
    private static let name = "askpass.answered"

    private let note: RuntimeNote
    private let digest: String

    /// Creates one for a prompt of the parent process. It is remembered in the state folder if there is no runtime
    /// folder, as in a session of `su`.
    ///
    /// - Returns: nil without either folder.
    public init?(_ prompt: String) {
        let note =
            RuntimeNote(AnsweredPrompt.name)
            ?? (try? Places()).map { RuntimeNote(AnsweredPrompt.name, folder: $0.state) }
        guard let note else {
            return nil
        }
        self.init(prompt, of: RunningProcess.parentName, note)
    }

    /// Creates one that is remembered in a given runtime folder.
    init(_ prompt: String, of process: String, in runtime: String) {
        self.init(prompt, of: process, RuntimeNote(AnsweredPrompt.name, in: runtime))
    }

    private init(_ prompt: String, of process: String, _ note: RuntimeNote) {
        self.note = note
        digest = RuntimeNote.digest("\(process)\n\(prompt)")
    }

    /// Whether the process got an answer to this prompt less than a minute ago.
    public func isRepeated(now: Timestamp) -> Bool {
        digests(now: now).contains { $0 == digest }
    }

    /// Remembers that the process now has an answer.
    public func remember(now: Timestamp) {
        let others = digests(now: now).filter { $0 != digest }.suffix(AnsweredPrompt.limit - 1)
        note.write((others + [Substring(digest)]).map { "\($0)\n" }.joined())
    }

    private func digests(now: Timestamp) -> [Substring] {
        note.text(now: now)?.split(separator: "\n") ?? []
    }
}
