import Keychain
import SealedStore

/// Measures git's helpers: get of a login among `count`, and store of new ones.
func measureGit(_ count: Int, bin: String, rounds: Int) throws {
    let home = try filledHome(count, group: "git")
    let wanted = count / 2
    let request = "\(scratch)/get"
    write(request, "protocol=https\nhost=\(Login.host(wanted))\n")
    let stores = "\(scratch)/store"
    // Number 0 is what checks the program before it is measured.
    for round in 0...rounds {
        write(
            "\(stores)-\(round)",
            "protocol=https\nhost=new-\(round).example.com\n"
                + "username=\(Login.user)\npassword=\(Login.password(round))\n")
    }

    var programs = [
        Program(
            name: "git-credential-lanyard", path: "\(bin)/git-credential-lanyard",
            environment: ["LANYARD_HOME": home, "LANYARD_KEYCHAIN": "login"],
            input: { _ in "" })
    ]
    if let path = variable("GIT_CREDENTIAL_STORE") {
        programs.append(
            Program(
                name: "git-credential-store", path: path,
                arguments: ["--file", filledStoreFile(count)], input: { _ in "" }))
    }
    if let path = variable("GIT_CREDENTIAL_LIBSECRET"), count <= 1000 {
        fill(libsecret: path, count)
        programs.append(Program(name: "git-credential-libsecret", path: path, input: { _ in "" }))
    }

    func forEach(_ operation: String, _ input: @escaping (Int) -> String) -> [Program] {
        programs.map { program in
            var program = program
            program.arguments.append(operation)
            program.input = input
            return program
        }
    }
    Comparison(
        work: "git get, \(count)", programs: forEach("get") { _ in request },
        expected: "password=\(Login.password(wanted))\n"
    ).measure(rounds: rounds)
    if count <= 1000 {
        try measureUnlocked(count, programs[0], request: request, rounds: rounds)
        measureSecretService(count, programs, request: request, rounds: rounds)
        measureWithoutTrait(count, programs[0], request: request, rounds: rounds)
    }
    Comparison(
        work: "git store of a new login, \(count)",
        programs: forEach("store") { "\(stores)-\($0)" }
    ).measure(rounds: rounds)
}

/// Measures get of a keychain with a passphrase that is unlocked beside that of one without.
private func measureUnlocked(
    _ count: Int, _ program: Program, request: String, rounds: Int
) throws {
    let store = try filledStore(count, group: "git", name: "unlocked")
    try PassphraseChange.set(Secret("bench"), of: store).apply()
    do throws(KeychainError) {
        try store.keepUnlocked(timeout: 3600)
    } catch {
        print("git get, \(count) | unlocked with a passphrase | skipped: \(error.reason) |")
        return
    }
    var without = program
    without.name = "without a passphrase"
    without.arguments.append("get")
    without.input = { _ in request }
    var unlocked = without
    unlocked.name = "unlocked with a passphrase"
    unlocked.environment["LANYARD_HOME"] = home(count, group: "git", name: "unlocked")
    Comparison(
        work: "git get, \(count)", programs: [unlocked, without],
        expected: "password=\(Login.password(count / 2))\n"
    ).measure(rounds: rounds)
    try store.lock(firstUnlock: true)
}

/// Measures get from the Secret Service, where git-credential-libsecret has stored the logins: by it, by
/// ours told to look there, and by ours that has to find out.
private func measureSecretService(
    _ count: Int, _ programs: [Program], request: String, rounds: Int
) {
    guard var peer = programs.first(where: { $0.name == "git-credential-libsecret" }) else {
        return
    }
    peer.arguments.append("get")
    peer.input = { _ in request }
    var ours = programs[0]
    ours.name = "Secret Service"
    ours.arguments.append("get")
    ours.input = { _ in request }
    ours.environment["LANYARD_KEYCHAIN"] = "secret-service"
    var unconfigured = ours
    unconfigured.name = "nothing configured"
    unconfigured.environment["LANYARD_KEYCHAIN"] = ""
    Comparison(
        work: "git get from the Secret Service, \(count)", programs: [ours, peer, unconfigured],
        expected: "password=\(Login.password(count / 2))\n"
    ).measure(rounds: rounds)
}

/// Measures get from the sealed file by a helper that was built without the trait SecretService.
private func measureWithoutTrait(
    _ count: Int, _ program: Program, request: String, rounds: Int
) {
    guard let path = variable("WITHOUT_SECRET_SERVICE") else {
        return
    }
    var with = program
    with.name = "built with the Secret Service"
    with.arguments.append("get")
    with.input = { _ in request }
    var without = with
    without.name = "built without"
    without.path = path
    Comparison(
        work: "git get, \(count)", programs: [with, without],
        expected: "password=\(Login.password(count / 2))\n"
    ).measure(rounds: rounds)
}

private func fill(libsecret path: String, _ count: Int) {
    let input = "\(scratch)/fill"
    for number in 0..<count {
        write(
            input,
            "protocol=https\nhost=\(Login.host(number))\n"
                + "username=\(Login.user)\npassword=\(Login.password(number))\n")
        let program = Program(
            name: path, path: path, arguments: ["store"], input: { _ in input })
        precondition(run(program, round: 0).status == 0, "the Secret Service does not store")
    }
}
