/// The files that docker's helpers read, one for each round.
struct DockerRequests {
    /// Writes the requests for this many rounds among `count` logins.
    init(rounds: Int, among count: Int) {
        // Number 0 is what checks the program before it is measured.
        for round in 0...rounds {
            write(get(round), "https://\(Login.host(Login.wanted(round, of: count)))\n")
            write(store(round), Self.login("new-\(round).example.com", round))
        }
    }

    func get(_ round: Int) -> String { "\(Options.scratch)/docker-get-\(round)" }
    /// A login that is new in each round.
    func store(_ round: Int) -> String { "\(Options.scratch)/docker-store-\(round)" }

    /// A whole login with the password of this number.
    static func login(_ host: String, _ number: Int) -> String {
        #"{"ServerURL":"https://\#(host)","Username":"\#(Login.user)","#
            + #""Secret":"\#(Login.password(number))"}"#
    }
}
