private let ourName = "docker-credential-lanyard"

/// Measures docker's helpers: get of a login among `count`, list of all, and store of new ones.
func measureDocker(_ count: Int) throws {
    let ours = dockerHelper(home: try filledHome(count, group: "docker"))
    let helpers = [ours] + dockerPeers(count)
    let requests = DockerRequests(rounds: Options.rounds, among: count)
    let wanted = Login.wanted(0, of: count)
    let work = { (operation: String) in Result.work("docker \(operation)", count) }

    let password = "\"\(Login.password(wanted))\""
    Comparison(
        work: work("get"),
        programs: helpers.map { $0.doing("get", requests.get, expecting: password) }
    ).measure()

    func listing(_ program: Program, having login: Int) -> Program {
        program.doing("list", expecting: "\"https://\(Login.host(login))\"")
    }
    // pass takes seconds for a long list.
    var listers = helpers.filter { count < 1000 || !$0.name.hasSuffix("pass") }
        .map { listing($0, having: wanted) }
    if count == 100_000 {
        var short = dockerHelper(home: try filledHome(1000, group: "docker"))
        short.name = "\(ourName) with 1,000"
        listers.append(listing(short, having: 500))
    }
    Comparison(work: work("list"), programs: listers)
        .measure(rounds: count < 1000 ? Options.rounds : min(Options.rounds, 9))

    if Options.wants("sizes") {
        Comparison(
            work: work("store of a new login"),
            programs: helpers.map { $0.doing("store", requests.store) }
        ).measure()
    }
}

/// docker's helper with a keychain that is there.
func dockerHelper(home: String) -> Program {
    Program(
        name: ourName, path: "\(Options.bin)/\(ourName)",
        environment: ["LANYARD_HOME": home, "LANYARD_KEYCHAIN": "login"])
}

/// The peers that are there, with the logins; without those for which they are too many.
private func dockerPeers(_ count: Int) -> [Program] {
    guard count <= 1000 else {
        return []
    }
    return ["SECRETSERVICE", "PASS"].compactMap { name in
        guard name != "PASS" || Options.wants("sizes"),
            let path = variable("DOCKER_CREDENTIAL_\(name)")
        else {
            return nil
        }
        let peer = Program(name: "docker-credential-\(name.lowercased())", path: path)
        guard fill(peer, count) else {
            say("docker, \(count) | \(peer.name) | does not store |")
            return nil
        }
        return peer
    }
}

private func fill(_ peer: Program, _ count: Int) -> Bool {
    let input = "\(Options.scratch)/fill"
    let storing = peer.doing("store") { _ in input }
    return (0..<count).allSatisfy { number in
        write(input, DockerRequests.login(Login.host(number), number))
        return run(storing, round: 0).status == 0
    }
}
