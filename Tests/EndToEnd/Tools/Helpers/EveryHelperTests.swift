import Foundation
import Testing
@testable import EndToEndRig

/// What each helper owes to its client, whichever that is: ``HelperCall`` has a row for every helper.
@Suite(.timeLimit(.minutes(10)))
struct EveryHelperTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    /// Starts what `words` name without a terminal, and prints what is left of standard input.
    private static let leavingRest = """
        setsid --wait "$@"
        status=$?
        cat
        exit "$status"
        """

    /// Calls a helper as its client does, without a terminal; `input` replaces the request.
    private func call(
        _ helper: HelperCall, _ login: HelperCall.Login, variables: [String: String] = [:]
    ) async throws -> Outcome {
        try await home.command(
            "sh", ["-c", Self.leavingRest, "sh", helper.helper] + login.arguments,
            input: Array((helper.readsInput ? login.input : "rest").utf8),
            variables: login.variables.merging(variables) { _, new in new }
        ).run()
    }

    private func store(_ helper: HelperCall) async throws {
        for login in helper.logins {
            let outcome = try await home.command(
                "lanyard", ["set", "--stdin"] + login.set, input: Array(login.secret.utf8)
            ).run()
            expectAnswer(outcome, "")
        }
    }

    @Test func everyHelperHasARow() async throws {
        let names = try await home.succeeds("lanyard-helper", "--names").outputText
        let rows = HelperCall.all.map(\.helper)
        #expect(Set(rows).count == rows.count)
        // What Lanyard starts itself answers no tool.
        let helpers = names.split(separator: "\n").filter { !$0.hasPrefix("lanyard-") }
        #expect(Set(helpers.map { String($0) }) == Set(rows))
    }

    /// A name that is a link to a link, a copy without links, and an unknown name.
    @Test func hasManyNames() async throws {
        let input = "protocol=https\nhost=example.com\n"
        let answer = "username=ada\npassword=many-names\n"
        let stored = try await home.command(
            "lanyard-helper", ["git-credential-lanyard", "store"],
            input: Array((input + answer).utf8)
        ).run()
        expectAnswer(stored, "")
        let programs = try home.copiesOfPrograms(["lanyard-helper"])
        // Where it is on no PATH, as in an installation, it names itself by its path.
        let unnamed = try await home.command(
            "\(programs)/lanyard-helper", ["x"], variables: ["PATH": "/usr/bin:/bin"]
        ).run()
        #expect(
            unnamed.errorText.hasSuffix("lanyard: hint: \(programs)/lanyard-helper --help\n"),
            "\(unnamed)")
        let links = ["first", "git-credential-lanyard"].map { "\(programs)/\($0)" }
        try FileManager.default.createSymbolicLink(
            atPath: links[0], withDestinationPath: "lanyard-helper")
        try FileManager.default.createSymbolicLink(
            atPath: links[1], withDestinationPath: "first")
        expectAnswer(
            try await home.command(links[1], ["get"], input: Array(input.utf8)).run(), answer)
        expectAnswer(
            try await home.command(
                "\(programs)/lanyard-helper", ["git-credential-lanyard", "get"],
                input: Array(input.utf8)
            ).run(), answer)
        let unknown = try await home.command("lanyard-helper", ["no-helper", "get"]).run()
        #expect(unknown.status == 1)
        #expect(
            unknown.errorText == """
                lanyard: error: no tool has a helper 'no-helper'
                lanyard: hint: lanyard-helper --help

                """)
    }

    /// The helpers of other tools are the same file.
    @Test func isTrustedByItsName() async throws {
        for (host, program) in [("a.example", "git"), ("b.example", "docker")] {
            let stored = try await home.command(
                "lanyard",
                [
                    "set", "--stdin", "--for", "git", "--trust", "\(program)-credential-lanyard",
                    "https://ada@\(host)",
                ], input: Array("trusted".utf8)
            ).run()
            #expect(stored.status == 0, "\(stored)")
        }
        func get(_ host: String) async throws -> Outcome {
            try await home.command(
                "git-credential-lanyard", ["get"],
                input: Array("protocol=https\nhost=\(host)\n".utf8)
            ).run()
        }
        expectAnswer(try await get("a.example"), "username=ada\npassword=trusted\n")
        let refused = try await get("b.example")
        #expect(refused.status == 1 && refused.output.isEmpty, "\(refused)")
        #expect(
            refused.errorText.contains("/git-credential-lanyard' https://b.example"), "\(refused)")
    }

    @Test(arguments: HelperCall.all)
    func findsNothingAndEachLogin(_ helper: HelperCall) async throws {
        let rest = helper.readsInput ? "" : "rest"
        let missing = helper.missing
        HelperCall.Ending(
            status: missing.status, output: missing.output + rest, error: missing.error
        ).expect(try await call(helper, helper.logins[0]))
        #expect(try Snapshot(home.lanyard).entries.isEmpty)
        try await store(helper)
        for login in helper.logins {
            expectAnswer(try await call(helper, login), login.answer + rest)
        }
    }

    /// An askpass program that never answers must not be asked where the client does not wait.
    @Test(arguments: HelperCall.all)
    func whileLocked(_ helper: HelperCall) async throws {
        try await store(helper)
        try await home.setPassphrase()
        var variables: [String: String] = [:]
        if !helper.asks {
            variables["LANYARD_ASKPASS"] = try home.write(
                "#!/bin/sh\nsleep 600\n", to: "askpass", mode: 0o700)
        }
        let locked = helper.locked
        HelperCall.Ending(
            status: locked.status, output: locked.output + (helper.readsInput ? "" : "rest"),
            error: locked.error
        ).expect(try await call(helper, helper.logins[0], variables: variables))
    }

    /// A hint without the name would unlock the default keychain.
    @Test(arguments: [HelperCall.bazel, .nuget])
    func whileAnotherKeychainIsLocked(_ helper: HelperCall) async throws {
        let passphrase = try home.write("the passphrase\n", to: "passphrase")
        expectAnswer(try await home.lanyard("keychain", "create", "work"), "")
        let stored = try await home.command(
            "lanyard", ["set", "--keychain", "work", "--stdin"] + helper.logins[0].set,
            input: Array(helper.logins[0].secret.utf8)
        ).run()
        expectAnswer(stored, "")
        let options = ["--keychain", "work", "--new-passphrase-file", passphrase, "--yes"]
        let set = try await home.command("lanyard", ["passphrase", "set"] + options).run()
        #expect(set.status == 0 && set.errorText.contains("is locked now"), "\(set)")
        expectAnswer(try await home.lanyard("keychain", "search-list", "login", "work"), "")
        let locked = try await call(helper, helper.logins[0])
        let message = locked.outputText + locked.errorText
        #expect(message.contains("the keychain 'work' is locked"), "\(locked)")
        #expect(message.contains("lanyard unlock --keychain work"), "\(locked)")
    }

    /// go starts 16 at once.
    @Test(arguments: HelperCall.all)
    func manyAtOnce(_ helper: HelperCall) async throws {
        try await store(helper)
        let login = helper.logins[0]
        let request = try home.write(login.input, to: "request")
        // Each has a parent of its own: askpass-lanyard answers a program once.
        let script = """
            request=$1
            shift
            for number in $(seq 16); do
                (setsid --wait "$@" <"$request" >"$HOME/answer.$number" 2>&1; :) &
            done
            wait
            cat "$HOME"/answer.*
            """
        let outcome = try await home.command(
            "sh", ["-euc", script, "sh", request, helper.helper] + login.arguments,
            variables: login.variables
        ).run()
        expectAnswer(outcome, String(repeating: login.answer, count: 16))
    }

    /// Only askpass-lanyard notes which program it has answered.
    @Test(.needs(.tracing, .unsanitized), arguments: HelperCall.all)
    func writesNoFile(_ helper: HelperCall) async throws {
        try await store(helper)
        let before = try Snapshot(home.path)
        for login in helper.logins {
            let calls = "trace=%file,read,readv,pread64,recvfrom,recvmsg,ftruncate"
            let outcome = try await home.command(
                "setsid",
                [
                    "--wait", "strace", "-f", "-qq", "-o", "\(home.path)/trace", "-e", calls,
                    helper.helper,
                ]
                    + login.arguments, input: Array(login.input.utf8), variables: login.variables
            ).run()
            expectAnswer(outcome, login.answer)
            let trace = String(decoding: try home.read("\(home.path)/trace"), as: UTF8.self)
                .split(separator: "\n").filter { !$0.contains(" = -1 ") }
            #expect(trace.contains { $0.contains("login.keychain") })
            #expect(trace.contains { $0.contains(" read(0, ") } == helper.readsInput)
            let changes = trace.filter {
                $0.contains(/O_WRONLY|O_RDWR|O_CREAT|O_TMPFILE/)
                    || $0.contains(
                        /\ (creat|rename|link|symlink|mkdir|mknod|truncate|ftruncate)\w*\(/)
            }
            let own = helper.helper == "askpass-lanyard" ? ["askpass.answered", "\"lanyard\""] : []
            #expect(changes.filter { change in !own.contains(where: change.contains) } == [])
            #expect(home.files(containing: login.secret) == [])
        }
        let changed = try Snapshot(home.path).contentDifferences(from: before)
        #expect(changed.filter { $0 != "trace" && !$0.contains("askpass.answered") } == [])
    }
}
