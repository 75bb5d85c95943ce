public import KeychainServices
public import Testing

/// What a test that failed shows of attributes: their values, not where they are held.
extension ItemAttributes: CustomTestStringConvertible {
    /// The values of all attributes.
    public var testDescription: String { "\(values)" }
}
