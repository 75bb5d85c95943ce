import Keychain

/// Measures docker's helpers: get of a login among `count`, list of all, and store of new ones.
func measureDocker(_ count: Int, bin: String, rounds: Int) throws {
    let home = try filledHome(count, group: "docker")
    let wanted = count / 2
    let request = "\(scratch)/get"
    write(request, "https://\(Login.host(wanted))\n")
    let stores = "\(scratch)/store"
    // Number 0 is what checks the program before it is measured.
    for round in 0...rounds {
        write("\(stores)-\(round)", storeRequest("new-\(round).example.com", round))
    }

    var programs = [
        Program(
            name: "docker-credential-lanyard", path: "\(bin)/docker-credential-lanyard",
            environment: ["LANYARD_HOME": home, "LANYARD_KEYCHAIN": "login"],
            input: { _ in "" })
    ]
    for name in ["SECRETSERVICE", "PASS"] where count <= 1000 {
        guard let path = variable("DOCKER_CREDENTIAL_\(name)") else {
            continue
        }
        let peer = Program(
            name: "docker-credential-\(name.lowercased())", path: path, input: { _ in "" })
        if fill(peer, count) {
            programs.append(peer)
        } else {
            print("docker, \(count) | \(peer.name) | does not store |")
        }
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
        work: "docker get, \(count)", programs: forEach("get") { _ in request },
        expected: "\"\(Login.password(wanted))\""
    ).measure(rounds: rounds)
    // pass takes seconds for a long list.
    Comparison(
        work: "docker list, \(count)",
        programs: forEach("list") { _ in "/dev/null" }.filter {
            count < 1000 || !$0.name.hasSuffix("pass")
        },
        expected: "\"https://\(Login.host(wanted))\""
    ).measure(rounds: count < 1000 ? rounds : min(rounds, 9))
    Comparison(
        work: "docker store of a new login, \(count)",
        programs: forEach("store") { "\(stores)-\($0)" }
    ).measure(rounds: rounds)
}

private func storeRequest(_ host: String, _ number: Int) -> String {
    #"{"ServerURL":"https://\#(host)","Username":"\#(Login.user)","#
        + #""Secret":"\#(Login.password(number))"}"#
}

private func fill(_ peer: Program, _ count: Int) -> Bool {
    var program = peer
    program.arguments = ["store"]
    let input = "\(scratch)/fill"
    program.input = { _ in input }
    return (0..<count).allSatisfy { number in
        write(input, storeRequest(Login.host(number), number))
        return run(program, round: 0).status == 0
    }
}
