#if SecretService
import Foundation
import Glibc
import TestSupport
import Testing
@testable import EndToEndRig

/// `lanyard secret-service agent`: a terminal at which the Secret Service asks.
@Suite(
    .timeLimit(.minutes(5)),
    .needs(.plugin, .gnomeKeyring, .secretTool, .python, .keyrings, MockLogind.need))
struct QuestionAgentTests {
    private static let prompt = "passphrase for the keychain 'login': "

    /// Once the agent listens, a client runs behind it and says when it has ended.
    private static let script = """
        listens() {
            for socket in "$XDG_RUNTIME_DIR"/lanyard/secret-service/agent-*.socket; do
                process=${socket##*/agent-}
                ! kill -0 "${process%.socket}" || return 0
            done
            return 1
        }
        (until listens; do sleep 0.02; done
        sh -c "$2" >"$1/answer"; echo "client: $?, $(cat "$1/answer")") 2>/dev/null &
        lanyard secret-service agent
        status=$?
        wait
        (exit $status)
        """

    private static let lookup = "exec timeout 60 secret-tool lookup service s account a"

    /// A session whose service has a locked keychain with an item.
    private func lockedSession() async throws -> DesktopSession {
        let session = try DesktopSession(nil)
        try await session.home.set("s", "a", secret: "the secret")
        try await session.home.setPassphrase()
        return session
    }

    private func dialogue(
        _ session: DesktopSession, client: String = lookup, _ steps: Dialogue.Step...
    ) async throws -> Dialogue.Session {
        var variables = session.variables
        variables["PATH"] = try await session.home.pathWith(
            "ls", "timeout", "secret-tool", "python3=/usr/bin/python3", "dbus-send", "kill")
        variables["TERM"] = "xterm"
        return try await Dialogue(home: session.home, variables: variables).run(
            QuestionAgentTests.script, arguments: [session.home.path, client], steps: steps)
    }

    private func sockets(_ session: DesktopSession) -> [String] {
        let folder = "\(session.service.folder)/run/lanyard/secret-service"
        return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    @Test func unlocksForAProgram() async throws {
        let session = try await lockedSession()
        try await session.home.forgettingKeys {
            try await session.withOwnService {
                let ended = try await dialogue(
                    session, .sees("; ^C ends this"),
                    .asked("secret-tool asks to unlock the keychain 'login'\r\n"),
                    .asked(QuestionAgentTests.prompt), .types("wrong\n"),
                    .asked(QuestionAgentTests.prompt), .types("the passphrase\n"),
                    .sees("client: 0, the secret"), .types("\u{3}"))
                ended.expect(status: 0)
                #expect(sockets(session).isEmpty)
                // Every program can read it now.
                try await session.expect("lanyard", "get", "s", answer: "the secret\n")
            }
        }
    }

    /// ^C is an answer to a question, and ends the agent only without one.
    @Test func dismissesAQuestion() async throws {
        let session = try await lockedSession()
        try await session.withOwnService {
            let ended = try await dialogue(
                session, .asked(QuestionAgentTests.prompt), .types("\u{3}"),
                .sees("client: 1"), .types("\u{3}"))
            ended.expect(status: 0)
        }
    }

    /// The question of a client that is gone is gone too, and the next one is asked.
    @Test func withdrawsAQuestion() async throws {
        let session = try await lockedSession()
        try await session.home.forgettingKeys {
            try await session.withOwnService {
                let ended = try await dialogue(
                    session,
                    client: """
                        secret-tool lookup service s account a & first=$!
                        until test -e "$1/killed"; do sleep 0.02; done
                        """.replacing("$1", with: session.home.path)
                            + "; kill -9 $first; \(QuestionAgentTests.lookup)",
                    .asked(QuestionAgentTests.prompt),
                    .looks("touch '\(session.home.path)/killed'", at: "lanyard"),
                    .asked(QuestionAgentTests.prompt), .types("the passphrase\n"),
                    .sees("client: 0, the secret"), .types("\u{3}"))
                ended.expect(status: 0)
            }
        }
    }

    /// A terminal that is closed, or a service that ends, leaves no question behind.
    @Test(arguments: [SIGHUP, SIGTERM]) func aSignalEndsIt(_ signal: Int32) async throws {
        let session = try await lockedSession()
        try await session.withOwnService {
            let ended = try await dialogue(
                session,
                client: "\(QuestionAgentTests.lookup)",
                .asked(QuestionAgentTests.prompt),
                .looks(
                    """
                    agent=$(basename "$(ls '\(session.service.folder)'/run/lanyard/secret-service/*)")
                    agent=${agent#agent-}
                    kill -\(signal) "${agent%.socket}"
                    """, at: "lanyard"),
                .sees("client: 1"))
            ended.expect(status: 0)
            #expect(sockets(session).isEmpty)
        }
    }

    @Test func createsAndDeletesKeychains() async throws {
        let session = try DesktopSession(nil)
        try await session.home.set("x", secret: "s")
        let client = """
            exec timeout 60 python3 - <<'END'
            import dbus, dbus.mainloop.glib
            from gi.repository import GLib
            dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
            bus, loop = dbus.SessionBus(), GLib.MainLoop()
            name = "org.freedesktop.secrets"
            def ask(path):
                results = []
                prompt = bus.get_object(name, path)
                def completed(dismissed, result):
                    results.append(bool(dismissed))
                    loop.quit()
                prompt.connect_to_signal("Completed", completed, "org.freedesktop.Secret.Prompt")
                prompt.Prompt("", dbus_interface="org.freedesktop.Secret.Prompt")
                loop.run()
                return results[0]
            service = dbus.Interface(bus.get_object(name, "/org/freedesktop/secrets"),
                                     "org.freedesktop.Secret.Service")
            label = {"org.freedesktop.Secret.Collection.Label": "vault"}
            print([ask(service.CreateCollection(label, "")[1]) for _ in range(2)])
            vault = dbus.Interface(bus.get_object(name, "/org/freedesktop/secrets/collection/vault"),
                                   "org.freedesktop.Secret.Collection")
            print(ask(vault.Delete()))
            END
            """
        try await session.withOwnService {
            let ended = try await dialogue(
                session, client: client,
                .sees("create the keychain 'vault'? [y/N] "), .types("n\n"),
                .sees("create the keychain 'vault'? [y/N] "), .types("y\n"),
                .sees("delete the keychain 'vault' with 0 items? [y/N] "), .types("yes\n"),
                .sees("client: 0"), .types("\u{3}"))
            ended.expect(status: 0)
            #expect(ended.shown.contains("[True, False]\r\nFalse\r\n"), "\(ended)")
        }
    }

    // MARK: Where it can't ask

    @Test func withoutATerminal() async throws {
        let outcome = try await ScratchHome().lanyard("secret-service", "agent")
        #expect(outcome.status == 36, "\(outcome)")
        #expect(
            outcome.errorText == """
                lanyard: error: there is no terminal to prompt at
                lanyard: hint: run it in the foreground of a terminal

                """, "\(outcome)")
    }

    /// What an agent that was killed leaves is removed by the next one.
    @Test func aSocketThatWasLeft() async throws {
        let session = try await lockedSession()
        try await session.home.forgettingKeys {
            try await session.withOwnService {
                let killed = try await dialogue(
                    session, client: "echo none", .sees("client: 0, none"),
                    .sends(SIGKILL, to: "lanyard"))
                killed.expect(status: 137)
                #expect(sockets(session).count == 1)
                let ended = try await dialogue(
                    session, .asked(QuestionAgentTests.prompt), .types("the passphrase\n"),
                    .sees("client: 0, the secret"), .types("\u{3}"))
                ended.expect(status: 0)
                #expect(sockets(session).isEmpty)
            }
        }
    }

    /// Nothing that arrives at the socket is taken for a question but one.
    @Test func whatIsNoQuestion() async throws {
        let session = try await lockedSession()
        let client = #"""
            exec timeout 60 python3 - <<'END'
            import glob, os, socket
            path = glob.glob(os.environ["XDG_RUNTIME_DIR"] + "/lanyard/secret-service/agent-*")[0]
            print(oct(os.stat(path).st_mode & 0o777), end=" ")
            for line in (b"", b"\n", b"[]\n", b'{"version":2,"ask":"unlock","keychain":"login"}\n',
                         b'{"version":1,"ask":"unlock","keychain":"../login"}\n',
                         b'{"version":1,"ask":"reveal","keychain":"login"}\n', b"x" * 10000):
                peer = socket.socket(socket.AF_UNIX)
                peer.connect(path)
                peer.sendall(line)
                answer = peer.recv(4096)
                print("failed" if b'"result":"failed"' in answer else answer, end=" ")
                peer.close()
            END
            """#
        let ended = try await dialogue(
            session, client: client,
            .sees("client: 0, 0o600 failed failed failed failed failed failed failed"),
            .types("\u{3}"))
        ended.expect(status: 0)
    }
}
#endif
