/// A rule that a store broke, and where the suite saw it.
public struct ConformanceFailure: Error, CustomStringConvertible {
    /// The rule, what was found, and the file and line of the expectation.
    public let description: String

    init(_ what: String, _ fileID: StaticString, _ line: Int) {
        description = "\(what) (\(fileID):\(line))"
    }
}
