extension Operation {
    /// All operations that have a baseline, in the order in which they are run.
    static func all() throws -> [Operation] {
        try git(1) + git(10_000) + docker(1000) + command(1000)
    }

    private static func git(_ count: Int) throws -> [Operation] {
        let ours = GitHelpers.ours(home: try filledHome(count, group: "git"))
        let requests = GitRequests(rounds: runs - 1, among: count)
        // Each get asks for the same login: only chance differs.
        let getting = ours.doing(
            "get", { _ in requests.get(0) },
            expecting: "password=\(Login.password(Login.wanted(0, of: count)))\n")
        return [
            ("get", getting),
            ("get of what is not there", ours.doing("get", { _ in requests.getMissing(0) })),
            // What store adds erase takes away again.
            ("store of a new login", ours.doing("store", requests.store)),
            ("erase", ours.doing("erase", requests.store)),
        ].map { name, program in
            Operation(name: Result.work("git \(name)", count)) { _ in program }
        }
    }

    private static func docker(_ count: Int) throws -> [Operation] {
        let ours = dockerHelper(home: try filledHome(count, group: "docker"))
        let requests = DockerRequests(rounds: runs - 1, among: count)
        let number = Login.wanted(0, of: count)
        return [
            (
                "get",
                ours.doing(
                    "get", { _ in requests.get(0) }, expecting: "\"\(Login.password(number))\"")
            ),
            ("list", ours.doing("list", expecting: "\"https://\(Login.host(number))\"")),
            ("store of a new login", ours.doing("store", requests.store)),
        ].map { name, program in
            Operation(name: Result.work("docker \(name)", count)) { _ in program }
        }
    }

    private static func command(_ count: Int) throws -> [Operation] {
        let home = try filledHome(count, group: "login")
        let number = Login.wanted(0, of: count)
        let password = "\(Options.scratch)/password"
        write(password, Login.password(number))
        func operation(
            _ name: String, expecting expected: String? = nil,
            _ arguments: @escaping (Int) -> [String]
        ) -> Operation {
            Operation(name: Result.work("lanyard \(name)", count)) { run in
                Program(
                    name: "lanyard", path: "\(Options.bin)/lanyard", arguments: arguments(run),
                    environment: ["LANYARD_HOME": home, "LANYARD_KEYCHAIN": "login"],
                    input: { _ in password }, expected: expected)
            }
        }
        return [
            operation("get", expecting: Login.password(number)) { _ in
                ["get", "https://\(Login.host(number))", Login.user]
            },
            operation("list", expecting: Login.host(number)) { _ in ["list"] },
            operation("set of a new secret") { ["set", "--stdin", "bench-\($0)", Login.user] },
        ]
    }
}
