internal import Glibc
internal import LinuxSystem

/// The terminal of standard output or standard error.
public struct OutputTerminal: Equatable, Sendable {
    /// How many columns it has, at least 1.
    public let columns: Int
    /// Whether texts may have colours.
    public let hasColours: Bool

    private static let usualColumns = 80

    /// The terminal of standard output; nil if that goes elsewhere.
    public static var current: OutputTerminal? { OutputTerminal(descriptor: 1) }

    /// Creates the terminal of a descriptor; nil if that is another kind of file.
    public init?(descriptor: Int32) {
        guard isatty(descriptor) == 1 else {
            return nil
        }
        self.init(kernelColumns: SystemCalls.columns(ofTerminal: descriptor))
    }

    /// - Parameters:
    ///   - kernelColumns: The kernel's value, nil if unknown.
    ///   - variable: Returns an environment variable, nil if it is unset.
    package init(
        kernelColumns: Int?, _ variable: (String) -> String? = OutputTerminal.variable
    ) {
        let wanted = variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        columns = wanted ?? kernelColumns ?? OutputTerminal.usualColumns
        // no-color.org: any value but an empty one.
        hasColours =
            (variable("NO_COLOR") ?? "").isEmpty
            && !["", "dumb"].contains(variable("TERM") ?? "")
    }

    /// Returns a variable of the environment.
    package static func variable(_ name: String) -> String? {
        // Safe: no thread changes the environment, and the text is copied.
        guard let value = unsafe getenv(name) else {
            return nil
        }
        return unsafe String(cString: value)
    }
}
