/// Something that is not as it should be: what it is, what it means, and what mends it.
public struct Finding: Sendable {
    /// What mends a finding.
    public enum Remedy: Sendable {
        /// A command for a shell.
        case command(FindingText)
        /// What a person has to do who knows more than we do.
        case advice(FindingText)
    }

    /// How much it matters.
    public enum Severity: String, Sendable, Comparable {
        /// Nothing is wrong, but it is good to know.
        case note
        /// Something may be asked for again, or lies open.
        case warning
        /// Something does not work.
        case error

        /// In the order in which they are declared.
        public static func < (left: Severity, right: Severity) -> Bool {
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

    /// The name by which a program knows it.
    public let code: FindingCode
    /// What is: one line, lower case, no full stop.
    public let what: FindingText
    /// What mends it.
    public let remedy: Remedy

    init(_ code: FindingCode, _ what: FindingText, command: FindingText) {
        self.code = code
        self.what = what
        remedy = .command(command)
    }

    init(_ code: FindingCode, _ what: FindingText, advice: FindingText) {
        self.code = code
        self.what = what
        remedy = .advice(advice)
    }

    /// How much it matters.
    public var severity: Severity { code.severity }
    /// What it means: one line, lower case, no full stop.
    public var meaning: String { code.meaning }
}
