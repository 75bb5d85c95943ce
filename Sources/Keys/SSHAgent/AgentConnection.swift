/// What the agent knows of a connection.
struct AgentConnection {
    /// The path of the program that connected; nil if it is unknown.
    let program: String?
    var bindings = SessionBindings()

    init(program: String?) {
        self.program = program
    }

    /// Who asks through the connection.
    var requester: Requester {
        Requester(program: program, isForwarded: bindings.isForwarded)
    }
}
