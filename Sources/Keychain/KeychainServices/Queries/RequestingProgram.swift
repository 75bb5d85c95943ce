/// A program that uses items through a service, such as one on the session's bus.
public struct RequestingProgram: Hashable, Sendable {
    /// Its executable; nil if it is unknown, and then only items without a list of trusted
    /// applications trust the program.
    public let application: TrustedApplication?
    /// The id of its process, nil if it is unknown.
    public let process: Int32?
    /// The systemd unit that it runs in, nil if there is none or it is unknown.
    public let unit: String?

    /// Describes a program.
    public init(_ application: TrustedApplication?, process: Int32? = nil, unit: String? = nil) {
        self.application = application
        self.process = process
        self.unit = unit
    }
}
