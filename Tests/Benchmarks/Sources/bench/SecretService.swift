import Glibc

/// Measures secret-tool with lanyard-secret-service beside the same with gnome-keyring, each with `count` logins of
/// git's that libsecret has stored, and the memory of the idle service. Both are on one bus.
func measureServing(_ count: Int) {
    guard let tool = variable("SECRET_TOOL"), let filling = variable("LIBSECRET_STORES"),
        let name = variable("SERVED_NAME"), let process = variable("SERVING_PROCESS")
    else {
        return
    }
    let file = filledStoreFile(count)
    let password = "\(Options.scratch)/password"
    write(password, Login.password(0))
    let services = [
        ("lanyard-secret-service", ["SECRET_SERVICE_BUS_NAME": name]), ("gnome-keyring", [:]),
    ]
    for (service, environment) in services {
        let filling = Program(
            name: service, path: filling, arguments: [file], environment: environment)
        guard run(filling, round: 0).status == 0 else {
            say("secret-tool | \(service) | does not store |")
            return
        }
    }
    func measure(_ work: String, _ arguments: [String], expected: String? = nil) {
        let programs = services.map { service, environment in
            Program(
                name: service, path: tool, arguments: arguments, environment: environment,
                input: { _ in password }, expected: expected)
        }
        Comparison(work: Result.work("secret-tool \(work)", count), programs: programs).measure()
    }
    let wanted = Login.wanted(0, of: count)
    let attributes = ["server", Login.host(wanted), "user", Login.user]
    measure("lookup", ["lookup"] + attributes, expected: Login.password(wanted))
    measure("search", ["search"] + attributes, expected: Login.host(wanted))
    measure("store", ["store", "--label=bench", "service", "bench", "account", "bench"])
    // It takes a second without calls for idle.
    sleep(3)
    reportMemory(of: process, "memory of the idle Secret Service", "lanyard-secret-service")
}

/// Measures 100 searches of libsecret for one of `count` logins of git's, all over one connection, with
/// lanyard-secret-service beside the same with gnome-keyring.
func measureSearching(_ count: Int) throws {
    guard let path = variable("LIBSECRET_SEARCHES"), let start = variable("SECRET_SERVICE"),
        let name = variable("SERVED_NAME"), let data = variable("XDG_DATA_HOME")
    else {
        return
    }
    // Stored through the service, as many take gnome-keyring half an hour.
    write("\(data)/keyrings/bench.keyring", keyring(count))
    write("\(data)/keyrings/default", "bench")
    _ = run(Program(name: "gnome-keyring", path: start), round: 0)
    _ = try filledStore(count, group: "git", in: "\(Options.scratch)/served")
    let programs = [
        ("lanyard-secret-service", ["SECRET_SERVICE_BUS_NAME": name]), ("gnome-keyring", [:]),
    ].map { service, environment in
        let wanted = Login.host(Login.wanted(0, of: count))
        return Program(
            name: service, path: path, arguments: ["100", wanted, Login.user],
            environment: environment, expected: wanted)
    }
    Comparison(work: Result.work("100 searches by libsecret", count), programs: programs).measure()
}

/// A keyring of gnome-keyring in plain text, with the first logins as libsecret stores git's.
private func keyring(_ count: Int) -> String {
    var text = """
        [keyring]
        display-name=bench
        ctime=0
        mtime=0
        lock-on-idle=false
        lock-after=false

        """
    for number in 0..<count {
        text += """

            [\(number + 1)]
            item-type=1
            display-name=Git: https://\(Login.host(number))/
            secret=\(Login.password(number))
            mtime=0
            ctime=0

            """
        let attributes = [
            ("protocol", "https"), ("server", Login.host(number)), ("user", Login.user),
            ("xdg:schema", "org.gnome.keyring.NetworkPassword"),
        ]
        for (index, (name, value)) in attributes.enumerated() {
            text += """

                [\(number + 1):attribute\(index)]
                name=\(name)
                type=string
                value=\(value)

                """
        }
    }
    return text
}
