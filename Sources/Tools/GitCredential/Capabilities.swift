public import KeychainServices

/// The parts of the protocol that both sides must announce before use.
struct Capabilities: OptionSet {
    let rawValue: UInt8

    /// Pre-encoded credentials: the keys authtype, credential and ephemeral.
    static let authtype = Capabilities(rawValue: 1)
    /// A value that git returns to its helper: the keys state[] and continue.
    static let state = Capabilities(rawValue: 2)

    /// Finds the capability with this name; none if the name is unknown.
    init(name: Span<UInt8>) {
        self = name.equals("authtype") ? .authtype : name.equals("state") ? .state : []
    }

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }
}

extension GitCredentialHelper {
    /// The whole answer to the operation `capability`.
    ///
    /// It is not secret; the type lets every answer be written in the same way. The corresponding section
    /// of git-credential(1) is "CAPABILITY INPUT/OUTPUT FORMAT".
    public static var capabilities: Secret {
        Secret("version 0\ncapability authtype\ncapability state\n")
    }
}
