import Foundation
import Testing
@testable import EndToEndRig

/// A home with a hundred logins in plain text is imported whole: then no plain text is left in it, and every
/// tool logs in as before, without prompts.
@Suite(.timeLimit(.minutes(10)))
struct ImportedHomeTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
        try home.configureClients(.nothing)
    }

    @Test func nothingIsLeft() async throws {
        let plain = PlainTextHome(home: home)
        try plain.write()
        // All that there is to be found is found, or finding nothing would prove nothing.
        #expect(try plain.readable().count == 99)
        try await plain.importAll()
    }

    @Test(.needs(.git, .lighttpd)) func gitLogsIn() async throws {
        try await home.configureGit()
        var repository = GitServer.Repository()
        repository.users = Dictionary(
            uniqueKeysWithValues: PlainTextHome.gits.map { ($0.name, $0.password) })
        let server = try await GitServer.serve(home, [repository]) { [home] server in
            let plain = PlainTextHome(home: home, gitHost: server.host)
            try plain.write()
            try await everybodyLogsIn(server, helper: "store")
            // git has taken out of its file what it never used.
            try plain.write()

            try await plain.importAll()
            try await everybodyLogsIn(server, helper: "lanyard")
            try await home.succeeds(
                "git", "clone", server.url(user: PlainTextHome.gits[0].nameInURL),
                "\(home.path)/clone")
            #expect(try plain.readable() == [])
            return server
        }
        let letIn = try server.log().filter { $0.hasSuffix(" 200") }
        #expect(Set(letIn).count == PlainTextHome.gits.count)
        #expect(letIn.count >= 2 * PlainTextHome.gits.count)
    }

    /// All users log in with git, which asks the helper that its configuration names. With the older
    /// protocol one answer of the server is enough.
    private func everybodyLogsIn(_ server: GitServer, helper: String) async throws {
        let urls = PlainTextHome.gits.map { server.url(user: $0.nameInURL) }
        let script = """
            git config --global credential.helper "$1"
            shift
            printf '%s\\n' "$@" | xargs -n 1 -P 4 git -c protocol.version=0 ls-remote
            """
        let outcome = try await home.command("sh", ["-euc", script, "sh", helper] + urls).run()
        #expect(outcome.status == 0, "\(outcome)")
        let heads = outcome.outputText.split(separator: "\n").count { $0.hasSuffix("\tHEAD") }
        #expect(heads == urls.count, "\(outcome)")
    }

    @Test(.needs(.registry, .skopeo, .lighttpd, .docker)) func dockerLogsIn() async throws {
        try await logsIn(.docker)
    }

    @Test(.needs(.registry, .skopeo, .lighttpd)) func skopeoLogsIn() async throws {
        try await logsIn(.skopeo)
    }

    @Test(.needs(.registry, .skopeo, .lighttpd, .podman)) func podmanLogsIn() async throws {
        try await logsIn(.podman)
    }

    @Test(.needs(.registry, .skopeo, .lighttpd, .buildah)) func buildahLogsIn() async throws {
        try await logsIn(.buildah)
    }

    @Test(.needs(.registry, .skopeo, .podman, .podmanImages)) func podmanPulls() async throws {
        try await Registry.serve(home) { [home] registry in
            var plain = PlainTextHome(home: home)
            plain.registryHosts[0] = registry.host
            try plain.write()
            try await home.push(home.makeImage(), to: registry)
            try await plain.importAll()
            try home.configureClients(.everything)
            try await home.succeeds(.podman, RegistryClient.podman.use(registry))
            #expect(try plain.readable() == [])
        }
    }

    /// One registry has as many hosts as there are logins.
    private func logsIn(_ client: RegistryClient) async throws {
        let logins = PlainTextHome.registries
        let others = Array(logins.dropFirst())
        let front = try await Registry.serve(home, others: others) { [home] registry in
            try await LoopbackHosts.serve(home, others.count, .handsOn(to: registry.host)) {
                front in
                let hosts = [registry.host] + front.hosts
                let plain = PlainTextHome(home: home, registryHosts: hosts)
                try plain.write()
                try await home.push(home.makeImage(), to: registry)
                try await logsIn(client, hosts)
                try plain.write()

                try await plain.importAll()
                try home.configureClients(.everything)
                try await logsIn(client, hosts)
                #expect(try plain.readable() == [])
                return front
            }
        }
        let expected = zip(front.hosts, others).map { ($0, Set([$1])) }
        #expect(try front.letIn() == Dictionary(uniqueKeysWithValues: expected))
    }

    private func logsIn(_ client: RegistryClient, _ hosts: [String]) async throws {
        for host in hosts {
            try await home.succeeds(client, client.useLogin(host))
        }
    }

    @Test(.needs(.git, .lighttpd, .tls, .curl)) func curlAndGitHaveWhatWasInNetrc() async throws {
        try await home.configureGit()
        let logins = PlainTextHome.netrcs
        let server = try await LoopbackHosts.serve(home, logins.count, .pages(for: logins)) {
            [home] server in
            // There are no ports in it.
            let machines = server.hosts.map { String($0.prefix { $0 != ":" }) }
            let plain = PlainTextHome(home: home, machines: machines)
            try plain.write()
            #expect(try await curl([], server, "--disable") == Set(["401"]))
            #expect(try await curl([], server, "--netrc") == Set(["200"]))

            try await plain.importAll()
            #expect(try await curl([], server, "--netrc") == Set(["401"]))
            let grants = machines.flatMap { ["--netrc", "LOGINS=https://\($0)"] }
            let codes = try await curl(
                ["lanyard", "exec"] + grants + ["--"], server, "--netrc-file", "{LOGINS}")
            #expect(codes == Set(["200"]))
            try await expectGitHas(logins, machines)
            #expect(try plain.readable() == [])
            return server
        }
        let expected = zip(server.hosts, logins).map { ($0, Set([$1])) }
        #expect(try server.letIn() == Dictionary(uniqueKeysWithValues: expected))
    }

    /// What all hosts answer to curl.
    private func curl(
        _ prefix: [String], _ server: LoopbackHosts, _ options: String...
    ) async throws -> Set<Substring> {
        let pages = server.hosts.flatMap { ["--output", "/dev/null", server.page($0)] }
        let arguments =
            prefix + ["curl"] + options
            + ["-sS", "--cacert", server.certificate, "--write-out", "%{http_code}\n"] + pages
        let outcome = try await home.command(arguments[0], Array(arguments.dropFirst())).run()
        let codes = outcome.outputText.split(separator: "\n")
        #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
        #expect(codes.count == server.hosts.count, "\(outcome)")
        return Set(codes)
    }

    /// git had them from curl, which reads .netrc, and asks its helper now.
    private func expectGitHas(
        _ logins: [Account], _ machines: [String]
    ) async throws {
        let script = """
            for machine; do printf 'url=https://%s\\n\\n' "$machine" | git credential fill; done
            """
        let outcome = try await home.command("sh", ["-euc", script, "sh"] + machines).run()
        let answers = zip(machines, logins).map { machine, login in
            "protocol=https\nhost=\(machine)\nusername=\(login.name)\npassword=\(login.password)\n"
        }
        #expect(outcome.outputText == answers.joined(), "\(outcome)")
        #expect(outcome.status == 0 && outcome.error.isEmpty, "\(outcome)")
    }
}
