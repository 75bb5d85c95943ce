/// The files that git's helpers read, one for each round.
struct GitRequests {
    private let count: Int

    /// Writes the requests for this many rounds among `count` logins.
    init(rounds: Int, among count: Int) {
        self.count = count
        // Number 0 is what checks the program before it is measured.
        for round in 0...rounds {
            let wanted = Login.host(Login.wanted(round, of: count))
            write(get(round), "protocol=https\nhost=\(wanted)\n")
            write(getMissing(round), "protocol=https\nhost=missing-\(round).example.com\n")
            write(store(round), Self.login("new-\(round).example.com", round))
        }
    }

    func get(_ round: Int) -> String { path("get", round) }
    func getMissing(_ round: Int) -> String { path("get-missing", round) }
    /// A login that is new in each round; for erase too.
    func store(_ round: Int) -> String { path("store", round) }

    /// A whole login with the password of this number.
    static func login(_ host: String, _ number: Int) -> String {
        "protocol=https\nhost=\(host)\nusername=\(Login.user)\npassword=\(Login.password(number))\n"
    }

    private func path(_ operation: String, _ round: Int) -> String {
        "\(Options.scratch)/git-\(operation)-\(count)-\(round)"
    }
}
