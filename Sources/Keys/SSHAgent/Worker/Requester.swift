/// The program that wants a signature.
struct Requester: Hashable, Sendable {
    /// The path of its executable; nil if it is unknown.
    let program: String?
    /// Whether it asks for another host, through agent forwarding.
    let isForwarded: Bool

    /// Who wants to use the key, for a question to the user.
    var description: String {
        let name = program ?? "an unknown program"
        return isForwarded ? "another host, through \(name)," : name
    }
}
