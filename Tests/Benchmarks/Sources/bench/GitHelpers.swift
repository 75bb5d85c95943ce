/// git's helpers, each with the same logins.
struct GitHelpers {
    static let name = "git-credential-lanyard"

    /// Ours, with the logins in a sealed keychain.
    let ours: Program
    /// git-credential-store with them in a file of plain text, if it is there.
    let store: Program?
    /// git-credential-libsecret with them in the Secret Service, if it is there and they are not too
    /// many for it.
    let libsecret: Program?

    /// Fills them with `count` logins.
    init(_ count: Int) throws {
        ours = Self.ours(home: try filledHome(count, group: "git"))
        store = variable("GIT_CREDENTIAL_STORE").map { path in
            Program(
                name: "git-credential-store", path: path,
                arguments: ["--file", filledStoreFile(count)])
        }
        libsecret = variable("GIT_CREDENTIAL_LIBSECRET").flatMap { path in
            guard count <= 1000 else {
                return nil
            }
            let program = Program(name: "git-credential-libsecret", path: path)
            return Self.fill(program, count) ? program : nil
        }
    }

    /// Ours, with a keychain that is there.
    static func ours(home: String) -> Program {
        Program(
            name: name, path: "\(Options.bin)/\(name)",
            environment: ["LANYARD_HOME": home, "LANYARD_KEYCHAIN": "login"])
    }

    /// What they read, but that of the Secret Service.
    var files: [String] {
        [ours.environment["LANYARD_HOME"].map { "\($0)/data/login.keychain" }, store?.arguments[1]]
            .compactMap(\.self)
    }

    /// All of them, each told to do this.
    func doing(
        _ operation: String, _ input: @escaping (Int) -> String, expecting expected: String? = nil
    ) -> [Program] {
        [ours, store, libsecret].compactMap { $0?.doing(operation, input, expecting: expected) }
    }

    private static func fill(_ program: Program, _ count: Int) -> Bool {
        let input = "\(Options.scratch)/fill"
        let storing = program.doing("store") { _ in input }
        for number in 0..<count {
            write(input, GitRequests.login(Login.host(number), number))
            guard run(storing, round: 0).status == 0 else {
                say("git, \(count) | \(program.name) | does not store |")
                return false
            }
        }
        return true
    }
}

extension Program {
    /// The program told to do this, with its input and what its answer has to hold.
    func doing(
        _ operation: String, _ input: @escaping (Int) -> String = { _ in "/dev/null" },
        expecting expected: String? = nil
    ) -> Program {
        var program = self
        program.expected = expected
        program.arguments.append(operation)
        program.input = input
        return program
    }
}
