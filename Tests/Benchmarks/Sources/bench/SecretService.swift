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
    for (figure, title) in [("VmRSS", "resident"), ("RssAnon", "resident, its own")] {
        let line = read("/proc/\(process)/status").split(separator: "\n").first {
            $0.hasPrefix("\(figure):")
        }
        let size = line?.split(whereSeparator: \.isWhitespace).dropFirst().first
        Result.report([
            Result(
                work: "memory of the idle Secret Service, \(title)",
                program: "lanyard-secret-service", value: size.flatMap { Double($0) },
                unit: .kibibytes)
        ])
    }
}
