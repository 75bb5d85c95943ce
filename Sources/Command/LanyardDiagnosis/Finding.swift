/// A problem: what it is, what it means, and how to fix it.
package struct Finding: Sendable {
    /// How to fix a finding.
    package enum Remedy: Sendable {
        /// A command for a shell.
        case command(FindingText)
        /// Advice for users, who know more than Lanyard does.
        case advice(FindingText)

        /// The command or the advice.
        package var text: FindingText {
            switch self {
            case .command(let text), .advice(let text): text
            }
        }
    }

    /// How much it matters.
    package enum Severity: String, Sendable, Comparable {
        /// Nothing is wrong, but it is worth knowing.
        case note
        /// A tool may ask for a login again, or a secret is exposed.
        case warning
        /// Something does not work.
        case error

        /// Orders severities by their declaration.
        package static func < (left: Severity, right: Severity) -> Bool {
            left.rank < right.rank
        }

        private var rank: Int {
            switch self {
            case .note: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    /// The stable name for programs.
    package let code: FindingCode
    /// The problem: one line, lower case, no full stop.
    package let what: FindingText
    /// How to fix it.
    package let remedy: Remedy

    /// - Parameter meaning: Its meaning, if that is not the same for all of the code.
    init(
        _ code: FindingCode, _ what: FindingText, command: FindingText, meaning: String? = nil
    ) {
        self.code = code
        self.what = what
        severity = code.severity
        remedy = .command(command)
        self.meaning = meaning ?? code.meaning
    }

    init(
        _ code: FindingCode, _ what: FindingText, advice: FindingText, meaning: String? = nil
    ) {
        self.code = code
        self.what = what
        severity = code.severity
        remedy = .advice(advice)
        self.meaning = meaning ?? code.meaning
    }

    /// How much it matters: as its code says, or less.
    package internal(set) var severity: Severity
    /// Its meaning: one line, lower case, no full stop.
    package let meaning: String
}
