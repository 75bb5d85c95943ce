import Foundation
import Testing
@testable import EndToEndRig

/// Hostile requests to the programs next to the logins of a victim: every answer is the
/// expected one, nothing that is stored changes but where the case says so, and no password gets to
/// where it does not belong.
@Suite(.timeLimit(.minutes(10)))
struct HostileRequestTests {
    /// What every victim's password begins with.
    private static let mark = "victims-secret"

    @Test(arguments: try HostileRequest.all())
    func isAnswered(_ request: HostileRequest) async throws {
        let home = try ScratchHome()
        try FileManager.default.copyItem(
            atPath: try await Self.template.value.lanyard, toPath: home.lanyard)
        if !request.configuration.isEmpty {
            try FileManager.default.createDirectory(
                atPath: "\(home.lanyard)/config", withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
            _ = try home.write(request.configuration, to: "lanyard/config/config")
        }
        let before = try Snapshot(home.lanyard)
        let items = request.change == .nothing ? [] : try await items(home)
        for step in request.steps {
            expect(
                try await home.command(step.program, step.arguments, input: step.input).run(),
                step)
        }
        switch request.change {
        case .nothing: #expect(try Snapshot(home.lanyard).differences(from: before) == [])
        case .secret:
            #expect(try Snapshot(home.lanyard).contentDifferences(from: before) != [])
            #expect(try await self.items(home) == items)
        case .items(let count):
            let left = try await self.items(home)
            #expect(left.count == items.count + count)
            #expect(count > 0 ? left.isSuperset(of: items) : items.isSuperset(of: left))
        }
    }

    @Test func thereAreEnoughOfThem() throws {
        let requests = try HostileRequest.all()
        #expect(requests.count >= 200)
        #expect(requests.allSatisfy { !$0.rule.isEmpty && !$0.steps.isEmpty })
        let names = Set(requests.map(\.testDescription))
        #expect(names.count == requests.count, "two cases have the same name")
    }

    private func expect(_ outcome: Outcome, _ step: HostileRequest.Step) {
        #expect(outcome.status == step.expectedStatus, "\(outcome)")
        if let refusal = step.refusal {
            if step.program.hasPrefix("docker") {
                expectDockerRefusal(outcome, refusal, secret: Self.mark)
            } else {
                #expect(outcome.output.isEmpty, "\(outcome)")
                #expect(
                    outcome.errorText.hasPrefix("lanyard: error: ")
                        && outcome.errorText.contains(refusal), "\(outcome)")
            }
        } else {
            #expect(outcome.output == step.answer, "\(outcome)")
            #expect(
                step.words.map(outcome.errorText.contains) ?? outcome.error.isEmpty,
                "\(outcome)")
        }
        let expected = String(decoding: step.answer, as: UTF8.self)
        #expect(
            expected.contains(Self.mark) || !outcome.outputText.contains(Self.mark),
            "a victim's password is given away")
        #expect(!outcome.errorText.contains(Self.mark), "a victim's password is printed")
    }

    /// What is stored, secrets and dates set aside.
    private func items(_ home: ScratchHome) async throws -> Set<JSONText> {
        Set(try await home.json("list", "--json").withoutDates.elements)
    }

    /// A home with logins of the sites that an attack would aim at.
    private static let template = Task { () throws -> ScratchHome in
        let home = try ScratchHome()
        for (number, login) in [
            "protocol=https\nhost=git.victim.example\nusername=alice\n",
            "protocol=https\nhost=git.victim.example:8443\nusername=bob\n",
            "protocol=https\nhost=paths.victim.example\npath=team/repo.git\nusername=carol\n",
            "protocol=http\nhost=plain.victim.example\nusername=dave\n",
            "protocol=https\nhost=[2001:db8::1]\nusername=erin\n",
            "protocol=cert\nhost=\npath=/home/alice/key.pem\nusername=frank\n",
        ].enumerated() {
            try await home.store("\(login)password=\(mark)-git-\(number)\n")
        }
        for (number, url) in [
            "https://registry.victim.example", "registry.victim.example:5000",
            "https://index.docker.io/v1/", "https://index.docker.io/v1/access-token",
            "https://paths.victim.example/team/",
        ].enumerated() {
            try await home.storeForDocker(
                #"{"ServerURL":"\#(url)","Username":"alice","Secret":"\#(mark)-docker-\#(number)"}"#
            )
        }
        try await home.set("Home Wi-Fi", secret: "\(mark)-service")
        try await home.set("https://alice@web.victim.example/login", secret: "\(mark)-web")
        return home
    }
}
