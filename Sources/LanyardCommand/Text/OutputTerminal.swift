internal import Glibc
internal import LinuxSystem

/// The terminal of standard output.
struct OutputTerminal: Equatable {
    /// How many columns it has, at least 1.
    let columns: Int
    /// Whether texts may have colours.
    let hasColours: Bool

    private static let usualColumns = 80

    /// The terminal; nil if standard output goes elsewhere.
    static var current: OutputTerminal? {
        guard isatty(1) == 1 else {
            return nil
        }
        return OutputTerminal(kernelColumns: SystemCalls.columns(ofTerminal: 1), variable)
    }

    /// - Parameters:
    ///   - kernelColumns: The kernel's value, nil if unknown.
    ///   - variable: Returns an environment variable, nil if it is unset.
    init(kernelColumns: Int?, _ variable: (String) -> String?) {
        let wanted = variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        columns = wanted ?? kernelColumns ?? OutputTerminal.usualColumns
        // no-color.org: any value but an empty one.
        hasColours =
            (variable("NO_COLOR") ?? "").isEmpty
            && !["", "dumb"].contains(variable("TERM") ?? "")
    }

    private static func variable(_ name: String) -> String? {
        // Safe: no thread changes the environment, and the text is copied.
        guard let value = unsafe getenv(name) else {
            return nil
        }
        return unsafe String(cString: value)
    }
}
