/// Measures `lanyard get` of a secret beside the programs by which scripts read one from the Secret Service. Each
/// has stored it itself.
func measureCommand() {
    let password = Login.password(0)
    let input = "\(Options.scratch)/password"
    // With a newline: Python's keyring takes what has none for nothing.
    write(input, "\(password)\n")

    let environment = [
        "LANYARD_HOME": "\(Options.scratch)/command", "LANYARD_KEYCHAIN": "login",
    ]
    var programs: [Program] = []
    func add(_ program: Program, store: [String], get: [String]) {
        var storing = program
        storing.arguments += store
        storing.input = { _ in input }
        guard run(storing, round: 0).status == 0 else {
            say("lanyard get | \(program.name) | does not store |")
            return
        }
        var getting = program
        getting.arguments += get
        getting.expected = password
        programs.append(getting)
    }
    add(
        Program(
            name: "lanyard get", path: "\(Options.bin)/lanyard", environment: environment),
        store: ["set", "--stdin", "bench", Login.user], get: ["get", "bench", Login.user])
    guard !programs.isEmpty else {
        return
    }
    add(
        Program(
            name: "keyring-lanyard get", path: "\(Options.bin)/keyring-lanyard",
            environment: environment),
        // Of several groups with one name `lanyard get` takes none.
        store: ["set", "bench-keyring-lanyard", Login.user],
        get: ["get", "bench-keyring-lanyard", Login.user])
    if let path = variable("SECRET_TOOL") {
        let attributes = ["service", "bench-secret-tool", "username", Login.user]
        add(
            Program(name: "secret-tool lookup", path: path),
            store: ["store", "--label=bench"] + attributes, get: ["lookup"] + attributes)
    }
    if let path = variable("PYTHON_WITH_KEYRING") {
        add(
            Program(name: "Python keyring get", path: path, arguments: ["-m", "keyring"]),
            store: ["set", "bench-keyring", Login.user], get: ["get", "bench-keyring", Login.user])
    }
    Comparison(work: "lanyard get", programs: programs).measure()
}
