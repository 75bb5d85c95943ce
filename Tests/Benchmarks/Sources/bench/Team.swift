import Glibc

/// Measures exchanges of a shared keychain with a server on the loopback, by whole processes: the first one of `count`
/// items, its memory, one with nothing new, one that gets a single change, and a new item until 50 devices have it.
func measureTeam(_ count: Int) {
    guard let address = variable("TEAM_SERVER"), let server = variable("TEAM_SERVER_NAME") else {
        return
    }
    let ada = "\(Options.scratch)/team-ada"
    let grace = "\(Options.scratch)/team-grace"
    lanyard(ada, "keychain", "create", "work")
    let start = now()
    lanyard(ada, "team", "create", address, "--person", "ada", "--device", "a")
    lanyard(ada, "import", "git-credentials", filledStoreFile(count))
    // The import has started an exchange, which keeps others waiting for too long if it is a large one.
    var tries = 0
    while !exchanges(ada), tries < 100 {
        tries += 1
        sleep(2)
    }
    let given = now() - start
    join(grace, address, sponsor: ada)
    let sync = Program(
        name: server, path: "\(Options.bin)/lanyard", arguments: ["team", "sync", "--quiet"],
        environment: environment(grace))
    let first = run(sync, round: 0)
    Result.report([
        Result(
            work: Result.work("first exchange of a device", count), program: server,
            value: first.status == 0 ? first.wall : nil, unit: .milliseconds)
    ])
    Result.report([
        Result(
            work: Result.work("import and exchange", count), program: server, value: given,
            unit: .milliseconds)
    ])
    let kay = "\(Options.scratch)/team-kay"
    join(kay, address, sponsor: ada)
    var another = sync
    another.environment = environment(kay)
    measurePeak(another, Result.work("peak memory of a first exchange", count), server)
    // An exchange marks what it left only if the keychain has not just changed. The first one gets the new member.
    sleep(4)
    _ = run(sync, round: 0)
    _ = run(sync, round: 0)
    Comparison(work: Result.work("exchange with nothing new", count), programs: [sync])
        .measure(rounds: min(Options.rounds, 21))
    var one = sync
    one.prepare = { round in
        let login = "\(Options.scratch)/one-of-many"
        write(login, "https://u:password@\(round).new.example.com\n")
        lanyard(ada, "import", "git-credentials", login)
        lanyard(ada, "team", "sync", "--quiet")
    }
    Comparison(work: Result.work("exchange of one change", count), programs: [one])
        .measure(rounds: min(Options.rounds, 11))
    one.prepare(-1)
    measurePeak(sync, Result.work("peak memory of an exchange of one change", count), server)
}

/// Measures how long a new item takes until `count` devices have it, which exchange at the same time.
func measureTeamDevices(_ count: Int) {
    guard let address = variable("TEAM_SERVER"), let server = variable("TEAM_SERVER_NAME") else {
        return
    }
    let ada = "\(Options.scratch)/devices-ada"
    lanyard(ada, "keychain", "create", "work")
    lanyard(ada, "team", "create", address, "--person", "ada", "--device", "a")
    let devices = (1...count).map { "\(Options.scratch)/devices-\($0)" }
    for device in devices {
        join(device, address, sponsor: ada)
        lanyard(device, "team", "sync", "--quiet")
    }
    let login = "\(Options.scratch)/one-login"
    write(login, "https://u:password@new.example.com\n")
    let script = """
        "$0" import git-credentials "$1" >/dev/null && "$0" team sync --quiet || exit 1
        shift
        for device; do LANYARD_HOME=$device "$0" team sync --quiet & children="$children $!"; done
        for child in $children; do wait "$child" || exit 1; done
        """
    let all = Program(
        name: server, path: "/bin/sh",
        arguments: ["-c", script, "\(Options.bin)/lanyard", login] + devices,
        environment: environment(ada))
    let cost = run(all, round: 0)
    Result.report([
        Result(
            work: "a new item until \(count) devices have it", program: server,
            value: cost.status == 0 ? cost.wall : nil, unit: .milliseconds)
    ])
}

private func measurePeak(_ program: Program, _ work: String, _ server: String) {
    guard let meter = variable("PEAK_MEMORY") else {
        return
    }
    let figure = "\(Options.scratch)/peak-memory"
    var metered = program
    metered.path = meter
    metered.arguments = [figure, program.path] + program.arguments
    let cost = run(metered, round: 0)
    let peak = Double(read(figure).filter { $0 != "\n" })
    Result.report([
        Result(
            work: work, program: server, value: cost.status == 0 ? peak : nil, unit: .kibibytes)
    ])
}

private func environment(_ home: String) -> [String: String] {
    ["LANYARD_HOME": home, "LANYARD_KEYCHAIN": "work"]
}

private func exchanges(_ home: String) -> Bool {
    run(
        Program(
            name: "lanyard", path: "\(Options.bin)/lanyard",
            arguments: ["team", "sync", "--quiet"],
            environment: environment(home)), round: 0
    ).status == 0
}

/// Runs `lanyard` in a home, and returns what it printed.
@discardableResult
private func lanyard(_ home: String, _ arguments: String...) -> String {
    let output = "\(Options.scratch)/team-answer"
    let cost = run(
        Program(
            name: "lanyard", path: "\(Options.bin)/lanyard", arguments: arguments,
            environment: environment(home)), round: 0, output: output)
    guard cost.status == 0 else {
        fail("lanyard \(arguments.prefix(2).joined(separator: " ")) failed")
    }
    return read(output)
}

private func join(_ home: String, _ address: String, sponsor: String) {
    lanyard(home, "keychain", "create", "work")
    // lanyard team join ADDRESS CODE --keychain work
    let words = lanyard(sponsor, "team", "invite").split { " \n".contains($0) }
    let team = words.dropFirst(4).first ?? ""
    // Each device has a name of its own.
    let device = home.split(separator: "/").last ?? ""
    let code = lanyard(
        home, "team", "join", address, String(team), "--person", "grace", "--device",
        String(device))
    lanyard(sponsor, "team", "approve", code.filter { $0 != "\n" })
}
