import Glibc

/// Measures how long it takes to put `count` logins of a file of git-credential-store into an empty
/// keychain, beside a program that inserts them into a bare SQLite file.
func measureImport(_ count: Int) {
    let file = filledStoreFile(count)
    let home = "\(Options.scratch)/import"
    let answer = "\(count) new"
    let database = "\(Options.scratch)/bare.sqlite"
    // Each begins with nothing, on a disk that has nothing else to write.
    let empty = { (path: String) in
        _ = run(Program(name: "rm", path: "/bin/rm", arguments: ["-rf", path]), round: 0)
        sync()
    }
    var programs = [
        Program(
            name: "lanyard import", path: "\(Options.bin)/lanyard",
            arguments: ["import", "git-credentials", file],
            environment: ["LANYARD_HOME": home, "LANYARD_KEYCHAIN": "login"],
            prepare: { _ in empty(home) }, expected: answer)
    ]
    if let path = variable("BARE_SQLITE") {
        programs.append(
            Program(
                name: "bare SQLite, plain text", path: path, arguments: [file, database],
                prepare: { _ in empty(database) }, expected: answer))
    }
    Comparison(
        work: Result.work("import into an empty file", count), programs: programs
    ).measure(rounds: min(Options.rounds, 9))
}

/// Measures how long it takes to put `count` logins of a file of git-credential-store into a Secret Service that was
/// just started and has none, beside a program that makes the same calls of libsecret and nothing else.
func measureSecretServiceImport(_ count: Int) {
    guard let path = variable("LIBSECRET_STORES"), let start = variable("EMPTY_SECRET_SERVICE")
    else {
        return
    }
    let file = filledStoreFile(count)
    let answer = "\(count) new"
    let empty = { (_: Int) in
        _ = run(Program(name: "an empty Secret Service", path: start), round: 0)
        sync()
    }
    let ours = Program(
        name: "lanyard import", path: "\(Options.bin)/lanyard",
        arguments: ["import", "git-credentials", file],
        environment: [
            "LANYARD_HOME": "\(Options.scratch)/import", "LANYARD_KEYCHAIN": "secret-service",
        ], prepare: empty, expected: answer)
    let libsecret = Program(
        name: "libsecret, in C", path: path, arguments: [file], prepare: empty, expected: answer)
    Comparison(
        work: Result.work("import into the Secret Service", count), programs: [ours, libsecret]
    ).measure(rounds: min(Options.rounds, 9))
}
