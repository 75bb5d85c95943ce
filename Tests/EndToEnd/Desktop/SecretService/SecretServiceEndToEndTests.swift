#if SecretService
import TestSupport
import Foundation
import Testing
@testable import EndToEndRig

/// The Secret Service where nothing is configured.
@Suite(.timeLimit(.minutes(10)), .needs(.gnomeKeyring))
struct SecretServiceEndToEndTests {
    private let request = "protocol=https\nhost=example.com\n"
    private var login: String { "\(request)username=ada\npassword=pw\n" }
    private let git = "git-credential-lanyard"
    private let docker = "docker-credential-lanyard"

    @Test func onADesktopLoginsGoThere() async throws {
        let session = try DesktopSession()
        try await session.expect(git, "store", input: login)
        try await session.expect(
            docker, "store", input: #"{"ServerURL":"r.example","Username":"u","Secret":"s"}"#)
        try await session.expect("lanyard", "set", "token", "--stdin", input: "t\nt\n")
        #expect(
            try await session.keychains()
                == ["secret-service", "secret-service", "secret-service"])
        try await session.expect(
            git, "get", input: request, answer: "username=ada\npassword=pw\n")
        try await session.expect(
            docker, "get", input: "r.example",
            answer: #"{"ServerURL":"r.example","Username":"u","Secret":"s"}"# + "\n")
        try await session.expect(docker, "list", answer: #"{"r.example":"u"}"# + "\n")
        try await session.expect("lanyard", "get", "token", answer: "t\nt\n")
        try await session.expect("lanyard", "keychain", "default", answer: "secret-service\n")
        try await session.expect(git, "erase", input: login)
        try await session.expect(git, "get", input: request)
        let files = try await session.home.shell("ls \"$LANYARD_HOME\"/data 2>/dev/null || :")
        #expect(files.outputText == "", "a sealed keychain was made")
    }

    @Test func statusTellsOfIt() async throws {
        let session = try DesktopSession()
        #expect(try await session.becomes("unlocked"))
        let status = try await session.status()
        #expect(status["name"] == "secret-service")
        #expect(status["state"] == "unlocked")
        #expect(status["in_use"] == true)
        #expect(status["default"] == true)
        #expect(status["outlasts_reboot"] == true)
        #expect(status["reason"] == .null)
    }

    /// The same user over SSH, where the session's bus can't be reached.
    @Test func whatIsInTheFileIsFoundAsWell() async throws {
        let session = try DesktopSession()
        try await session.home.store(login)
        #expect(try await session.keychains() == ["login"])
        try await session.expect(
            git, "get", input: request, answer: "username=ada\npassword=pw\n")
        // Changed where it is, erased wherever it is.
        try await session.expect(
            git, "store", input: "\(request)username=ada\npassword=new\n")
        #expect(try await session.keychains() == ["login"])
        try await session.expect(
            git, "--keychain", "secret-service", "store",
            input: "\(request)username=ada\npassword=new\n")
        #expect(try await session.keychains() == ["secret-service", "login"])
        try await session.expect(
            git, "erase", input: "\(request)username=ada\npassword=new\n")
        #expect(try await session.keychains() == [])
    }

    @Test func theDesktopCanBeLeftAlone() async throws {
        let session = try DesktopSession()
        try await session.expect("lanyard", "keychain", "default", "login")
        try await session.expect(git, "store", input: login)
        #expect(try await session.keychains() == ["login"])
        let names = try await session.json("status").elements.map { $0.members["name"] }
        #expect(names == ["login"])
    }

    // MARK: Where it can't be used

    /// gnome-keyring is installed and started by the bus, and nothing was ever unlocked.
    @Test func aServerWithAKeyringNeverUnlocked() async throws {
        let session = try DesktopSession(.locked)
        try await session.expect(git, "store", input: login)
        #expect(try await session.keychains() == ["login"])
        try await session.expect(
            git, "get", input: request, answer: "username=ada\npassword=pw\n")
        let status = try await session.status()
        #expect(status["state"] == "unusable")
        #expect(status["in_use"] == false)
        #expect(status["reason"] != .null)
    }

    @Test func aCollectionThatIsLocked() async throws {
        let session = try DesktopSession()
        try await session.expect(git, "store", input: login)
        session.service.killDaemon()
        try session.service.start(.locked)
        #expect(try await session.becomes("locked"))
        let status = try await session.status()
        #expect(status["in_use"] == false)
        // It was used here before, which is worth a line.
        let got = try await session.run(git, "get", input: request)
        #expect(got.status == 0 && got.outputText.isEmpty, "\(got)")
        #expect(
            got.errorText.hasPrefix(
                "lanyard: warning: the Secret Service, which was used here before, was skipped: "),
            "\(got)")
        // What is new goes to the file, not without a word, and is found there.
        let stored = try await session.run(git, "store", input: login)
        #expect(stored.status == 0 && stored.errorText == got.errorText, "\(stored)")
        try await session.expect(
            git, "get", input: request, answer: "username=ada\npassword=pw\n")
        // Named, it is what it is.
        let named = try await session.run(
            "lanyard", "get", "https://example.com", "--keychain", "secret-service")
        #expect(named.status == 36, "\(named)")
        let asked = try await session.run(
            docker, "--keychain", "secret-service", "get", input: "example.com")
        #expect(asked.status == 1, "\(asked)")
        #expect(asked.outputText == "credentials not found in native keychain\n", "\(asked)")
        // As soon as it is unlocked it is used again.
        session.service.killDaemon()
        try session.service.start(.unlocked)
        #expect(try await session.keychains() == ["secret-service", "login"])
    }

    @Test func aBusWithoutASecretService() async throws {
        let session = try DesktopSession(nil)
        try await session.expect(git, "store", input: login)
        #expect(try await session.keychains() == ["login"])
        #expect(try await session.status()["state"] == "unusable")
    }

    @Test func noBusAtAll() async throws {
        let session = try DesktopSession(nil)
        let outcome = try await session.run(
            git, "store", input: login,
            variables: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(session.home.path)/nothing"])
        expectAnswer(outcome, "")
        #expect(try await session.home.json("list", "--json").elements.count == 1)
    }

    /// What stopped is what hangs for other reasons, too: a bus, a daemon.
    @Test(arguments: [true, false])
    func oneThatNeverAnswers(_ isBus: Bool) async throws {
        let session = try DesktopSession()
        try await session.expect(git, "store", input: login)
        session.service.stop(isBus ? session.service.bus : session.service.daemon)
        let clock = ContinuousClock()
        let start = clock.now
        let got = try await session.run(git, "get", input: request)
        #expect(got.status == 0 && got.outputText.isEmpty, "\(got)")
        #expect(got.errorText.contains("which was used here before"), "\(got)")
        #expect(start.duration(to: clock.now) < .seconds(90), "it hung")
        #expect(try await session.plugins() == [])
        // Told at once the second time: the minute is not over.
        let stored = try await session.run(git, "store", input: login)
        #expect(stored.status == 0, "\(stored)")
        #expect(stored.errorText.contains("(less than a minute ago)"), "\(stored)")
        try await session.expect(
            git, "get", input: request, answer: "username=ada\npassword=pw\n")
        let named = try await session.run(
            git, "--keychain", "secret-service", "get", input: request)
        #expect(named.status == 1, "\(named)")
        session.service.resume()
        // Named or asked about, it is tried again.
        try await session.expect(
            git, "--keychain", "secret-service", "get", input: request,
            answer: "username=ada\npassword=pw\n")
        #expect(try await session.status()["in_use"] == true)
        #expect(try await session.keychains() == ["secret-service", "login"])
    }

    /// What can't be reached is not missing.
    @Test func whatIsNotReachedIsNotMissing() async throws {
        let session = try DesktopSession()
        try await session.home.set("other", secret: "o")
        try await session.expect("lanyard", "set", "token", "--stdin", input: "t")
        session.service.killDaemon()
        for arguments in [
            ["get", "token"], ["remove", "token"], ["get", "token", "--json"],
        ] {
            let outcome = try await session.home.command(
                "lanyard", arguments, variables: session.variables
            ).run()
            #expect(outcome.status == 53, "\(outcome)")
            #expect(
                outcome.errorText.hasPrefix(
                    "lanyard: error: item 'token' not found in the keychains that can be read; "
                        + "'secret-service' can't: there is no Secret Service"), "\(outcome)")
            #expect(!outcome.errorText.contains("warning"), "\(outcome)")
        }
        // What is there is found without a word; a list that is not whole says so.
        try await session.expect("lanyard", "get", "other", answer: "o\n")
        let list = try await session.run("lanyard", "list")
        #expect(list.status == 0 && list.outputText.contains("other"), "\(list)")
        #expect(list.errorText.contains("which was used here before, was skipped"), "\(list)")
    }

    /// A Secret Service that came back is found within the minute in which it would not be asked again, and a locked one is
    /// not empty.
    @Test func oneThatComesBackIsUsed() async throws {
        let session = try DesktopSession()
        try await session.expect("lanyard", "set", "token", "--stdin", input: "t")
        session.service.killDaemon()
        let gone = try await session.run("lanyard", "get", "token")
        #expect(gone.status == 53, "\(gone)")
        try session.service.start(.locked)
        let locked = try await session.run("lanyard", "get", "token")
        #expect(locked.status == 36, "\(locked)")
        #expect(locked.errorText.contains("is locked"), "\(locked)")
        session.service.killDaemon()
        _ = try await session.run("lanyard", "get", "token")
        try session.service.start(.unlocked)
        try await session.expect("lanyard", "get", "token", answer: "t\n")
        try await session.expect("lanyard", "set", "new", "--stdin", input: "n")
        #expect(try await session.keychains() == ["secret-service", "secret-service"])
    }

    /// Stores that were confirmed before gnome-keyring was killed are there after its next start, on a busy machine too.
    ///
    /// `LANYARD_TEST_KILLS` is how many times it is killed.
    @Test func confirmedStoresOutliveTheService() async throws {
        let rounds = Int(ProcessInfo.processInfo.environment["LANYARD_TEST_KILLS"] ?? "") ?? 1
        for round in 1...rounds {
            let session = try DesktopSession()
            var killing: Task<Void, any Error>?
            let last = Int.random(in: 1..<29)
            var confirmed: [Int] = []
            for number in 0..<30 {
                if number == last {
                    killing = Task {
                        try await Task.sleep(for: .milliseconds(.random(in: 0...100)))
                        session.service.killDaemon()
                    }
                }
                let outcome = try await session.run(
                    git, "store",
                    input:
                        "protocol=https\nhost=h\(number).example\nusername=u\npassword=p\(number)\n"
                )
                if outcome.status == 0 {
                    confirmed.append(number)
                }
            }
            try await killing?.value
            try session.service.start(.locked)
            let locked = try await session.run("lanyard", "get", "https://h0.example")
            #expect(
                confirmed.isEmpty || [0, 36].contains(locked.status), "\(round): \(locked)")
            session.service.killDaemon()
            try session.service.start(.unlocked)
            let inService = try await session.keychains().count { $0 == "secret-service" }
            var missing: [Int] = []
            for number in confirmed {
                let got = try await session.run(
                    git, "get", input: "protocol=https\nhost=h\(number).example\n")
                if got.outputText != "username=u\npassword=p\(number)\n" {
                    missing.append(number)
                }
            }
            #expect(missing == [], "\(round)")
            print(
                "killed after \(inService) of \(confirmed.count) stores: \(missing.count) missing")
        }
    }

    /// One that answers, but late, is waited for and not forgotten for a minute.
    @Test func aBusyOneIsWaitedFor() async throws {
        let session = try DesktopSession()
        try session.home.configure("[lanyard]\ntimeout = 1m\n")
        try await session.expect(git, "store", input: login)
        try await session.service.whileBusy {
            let start = ContinuousClock.now
            try await session.expect("lanyard", "get", "https://example.com", answer: "pw\n")
            try await session.expect(
                git, "store", input: "protocol=https\nhost=new.example\nusername=u\npassword=p\n")
            // Without a pause of the service, both take some 30 ms.
            #expect(start.duration(to: .now) > .milliseconds(300))
        }
        #expect(try await session.keychains() == ["secret-service", "secret-service"])
    }

    @Test(.needs(.tracing, .secretsOfProcesses)) func nothingIsStartedForAMinute() async throws {
        let session = try DesktopSession(nil)
        func starts() async throws -> Int {
            let log = "\(session.home.path)/trace"
            let outcome = try await session.run(
                "strace", "-f", "-e", "trace=execve", "-o", log, git, "get", input: request)
            #expect(outcome.status == 0, "\(outcome)")
            let text = String(decoding: try session.home.read(log), as: UTF8.self)
            return text.split(separator: "\n").count { $0.contains("lanyard-secret-service") }
        }
        #expect(try await starts() > 0)
        #expect(try await starts() == 0)
    }

    @Test(.needs(.tracing, .secretsOfProcesses)) func withoutABusNothingIsStarted() async throws {
        let home = try ScratchHome()
        let log = "\(home.path)/trace"
        try await home.succeeds(
            "strace", "-f", "-e", "trace=execve", "-o", log, "lanyard", "list")
        let text = String(decoding: try home.read(log), as: UTF8.self)
        #expect(!text.contains("lanyard-secret-service"))
    }

    // MARK: At once

    @Test(arguments: [2, 8])
    func storingTheSameLoginAtOnce(_ count: Int) async throws {
        let session = try DesktopSession()
        // gnome-keyring's daemon ended in one of some 60 rounds of eight, while nothing waited for a turn.
        let rounds = count * 5 / 2
        for round in 0..<rounds {
            let host = "host-\(round).example"
            let outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
                for number in 0..<count {
                    group.addTask {
                        try await session.run(
                            git, "store",
                            input:
                                "protocol=https\nhost=\(host)\nusername=u\npassword=p\(number)\n")
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for outcome in outcomes {
                expectAnswer(outcome, "")
            }
            let got = try await session.run(git, "get", input: "protocol=https\nhost=\(host)\n")
            #expect(got.outputText.hasPrefix("username=u\npassword=p"), "\(got)")
        }
        #expect(try await session.keychains().count == rounds)
    }

    // MARK: Locking

    @Test func lockingAll() async throws {
        let session = try DesktopSession()
        try await session.expect("lanyard", "set", "x", "--stdin", input: "s")
        let first = try await session.run("lanyard", "lock")
        #expect(first.status == 0, "\(first)")
        #expect(
            first.errorText
                == "lanyard: hint: this does not lock the keychain 'secret-service'; "
                + "lanyard lock --keychain secret-service does\n")
        #expect(try await session.becomes("unlocked"))
        try await session.expect("lanyard", "lock", "--all")
        #expect(try await session.becomes("locked"))
    }

    @Test func passphrasesAreAboutSealedKeychains() async throws {
        let session = try DesktopSession()
        let outcome = try await session.run("lanyard", "recovery-key", "create")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(
            outcome.errorText.contains("new logins go to 'secret-service'"), "\(outcome)")
        let named = try await session.run(
            "lanyard", "passphrase", "set", "--keychain", "secret-service")
        #expect(named.status == 64, "\(named)")
        #expect(named.errorText.contains("not a sealed file"), "\(named)")
    }

    // MARK: Names

    @Test func theOneInUseIsListed() async throws {
        let session = try DesktopSession()
        let list = try await session.json("keychain", "list").elements.map(\.members)
        #expect(list.map { $0["name"] } == ["secret-service"])
        #expect(list.map { $0["default"] } == [true])
        #expect(list.map { $0["path"] } == [.null])
    }

    @Test func aConfiguredOne() async throws {
        let session = try DesktopSession()
        try await session.expect(
            "lanyard", "keychain", "create", "desktop", "--kind", "secret-service",
            "--collection", "login")
        try await session.expect("lanyard", "keychain", "search-list", "login", "desktop")
        try await session.expect("lanyard", "keychain", "default", "desktop")
        try await session.expect(git, "store", input: login)
        #expect(try await session.keychains() == ["desktop"])
        session.service.killDaemon()
        let stored = try await session.run(
            git, "store", input: "protocol=https\nhost=other.example\nusername=u\npassword=p\n")
        #expect(stored.status == 1, "\(stored)")
        #expect(
            stored.errorText.contains("the default keychain 'desktop' can't be used: "),
            "\(stored)")
    }

    @Test func aCollectionThatIsNotThere() async throws {
        let session = try DesktopSession()
        let outcome = try await session.run(
            "lanyard", "keychain", "create", "desktop", "--kind", "secret-service",
            "--collection", "nothing")
        #expect(outcome.status == 50, "\(outcome)")
        let names = try await session.json("keychain", "list").elements.map { $0.members["name"] }
        #expect(names == ["secret-service"])
    }

    @Test func copyingThereAndBack() async throws {
        let session = try DesktopSession()
        try await session.home.set("one", "a", secret: "1")
        try await session.home.set(
            "https://ada@example.com:8443/a%20b", "--label", "L", "--comment", "ü\n",
            "--creator", "cr", "--security-domain", "realm", "--authentication-type", "dflt",
            "--accessible", "ck", "--invisible", "--synchronizable", "--group", "g",
            "--yes", secret: "s\"\\\u{7F}\n\n")
        try await session.home.store(login)
        try await session.home.set("https://u@plain.example", secret: "p")
        try await session.home.storeForDocker(
            #"{"ServerURL":"https://r.example:5000/v1/","Username":"u","Secret":"s"}"#)
        try await session.expect(
            "lanyard", "keychain", "copy", "login", "secret-service",
            answer: "5 copied, 0 already there, 0 skipped\n")
        try await session.expect(
            "lanyard", "keychain", "copy", "login", "secret-service",
            answer: "0 copied, 5 already there, 0 skipped\n")
        try await session.expect("lanyard", "keychain", "create", "back")
        try await session.expect(
            "lanyard", "keychain", "copy", "secret-service", "back",
            answer: "5 copied, 0 already there, 0 skipped\n")
        try await session.expect(
            "lanyard", "keychain", "copy", "login", "back",
            answer: "0 copied, 5 already there, 0 skipped\n")
    }
}
#endif
