import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// The socket of `lanyard-ssh-agent`, and clients that don't follow the protocol.
@Suite(.timeLimit(.minutes(5)))
struct AgentSocketTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private func talk(_ agent: RunningAgent, _ script: String) async throws -> String {
        let outcome = try await agent.run(
            "python3", "-c",
            """
            import os, socket, struct, sys, time
            def connect():
                client = socket.socket(socket.AF_UNIX)
                client.connect(os.environ["SSH_AUTH_SOCK"])
                client.settimeout(30)
                return client
            def frame(message):
                return struct.pack(">I", len(message)) + message
            def receive(client):
                data = b""
                while len(data) < 4 or len(data) < 4 + struct.unpack(">I", data[:4])[0]:
                    more = client.recv(65536)
                    if not more:
                        return None
                    data += more
                return data[4:]
            def string(value):
                return struct.pack(">I", len(value)) + value
            client = connect()

            """ + script)
        #expect(outcome.status == 0, "\(outcome)")
        return outcome.outputText
    }

    @Test(.needs(.python)) func malformedFramesEndTheConnection() async throws {
        try await home.withAgent { agent in
            let answers = try await talk(
                agent,
                """
                for start in [b"\\0\\0\\0\\0", b"\\0\\4\\0\\1", b"\\xff\\xff\\xff\\xff"]:
                    client = connect()
                    client.sendall(start)
                    print(receive(client))
                """)
            #expect(answers == "None\nNone\nNone\n")
            #expect(try await agent.list() == [])
        }
    }

    @Test(.needs(.python)) func malformedMessagesFailAndTheNextOneIsAnswered() async throws {
        try await home.withAgent { agent in
            let answers = try await talk(
                agent,
                """
                for message in [b"\\x0d", b"\\x0d" + string(b"a") * 2, b"\\x11" + b"x" * 1000, b"\\x63",
                                b"\\x14" + string(b"a") * 2, b"\\x1b" + string(b"other"),
                                b"\\x0b", b"\\x12" + string(b"a") + b"x", b"\\x63" * 262144]:
                    client.sendall(frame(message))
                    print(receive(client).hex())
                client.sendall(frame(b"\\x0b") * 3)
                print([receive(client)[:1].hex() for _ in range(1)])
                client.sendall(frame(b"\\x1b" + string(b"query")))
                """)
            #expect(
                answers == """
                    05
                    05
                    05
                    05
                    05
                    05
                    0c00000000
                    05
                    05
                    ['0c']

                    """)
        }
    }

    @Test(.needs(.python)) func slowClientIsDroppedAndKeepsNobodyWaiting() async throws {
        try await home.withAgent { agent in
            async let slow = talk(
                agent,
                """
                client.sendall(b"\\0\\0\\0\\5\\x0b")
                before = time.time()
                print(receive(client), 5 < time.time() - before < 25)
                """)
            for _ in 0..<5 {
                let keys = try await agent.list()
                #expect(keys == [])
            }
            let answer = try await slow
            #expect(answer == "None True\n")
        }
    }

    /// The connections that are idle longest end, and new ones are served.
    @Test(.needs(.python)) func clientsAreLimited() async throws {
        try await home.withAgent { agent in
            let answers = try await talk(
                agent,
                """
                import subprocess
                def is_served(client):
                    try:
                        client.sendall(frame(b"\\x63"))
                        return receive(client) == b"\\5"
                    except OSError:
                        return False
                clients = [client] + [connect() for _ in range(199)]
                # It is not idle longest any more.
                print(is_served(clients[0]))
                clients += [connect() for _ in range(100)]
                print(subprocess.run(["ssh-add", "-l"], capture_output=True, text=True).stdout.strip())
                served = [number for number, client in enumerate(clients) if is_served(client)]
                print(len(served), served[:2], served[-1])
                """)
            #expect(
                answers == """
                    True
                    The agent has no identities.
                    255 [0, 46] 299

                    """)
            #expect(try await agent.list() == [])
        }
    }

    /// One that is inside a message, or waits, is not idle.
    @Test(.needs(.python)) func onlyIdleClientsEnd() async throws {
        try await home.withAgent { agent in
            let answers = try await talk(
                agent,
                """
                client.sendall(frame(b"\\x0b")[:3])
                time.sleep(0.2)
                others = [connect() for _ in range(300)]
                others[-1].sendall(frame(b"\\x63"))
                print(receive(others[-1]))
                client.sendall(frame(b"\\x0b")[3:])
                print(receive(client).hex())
                """)
            #expect(answers == "b'\\x05'\n0c00000000\n")
        }
    }

    /// Idle clients make room, and no processor is kept busy.
    @Test(.needs(.python)) func agentWithoutDescriptorsWaits() async throws {
        let outcome = try await home.shell(
            """
            (ulimit -n 24; exec lanyard-ssh-agent --socket "$1") &
            until [ -S "$1" ]; do sleep 0.02; done
            python3 -c '
            import os, socket, sys, time
            def connect():
                client = socket.socket(socket.AF_UNIX)
                client.connect(sys.argv[1])
                client.settimeout(30)
                return client
            def ticks():
                return sum(map(int, open(f"/proc/{sys.argv[2]}/stat").read().split()[13:15]))
            clients = [connect() for _ in range(30)]
            clients[-1].sendall(b"\\0\\0\\0\\1\\x63")
            print(clients[-1].recv(100).hex())
            before = ticks()
            time.sleep(2)
            print((ticks() - before) / os.sysconf("SC_CLK_TCK") < 1)
            for client in clients:
                client.close()
            client = connect()
            client.sendall(b"\\0\\0\\0\\1\\x63")
            print(client.recv(100).hex())
            ' "$1" $!
            kill $!
            """, "\(home.path)/socket")
        #expect(outcome.outputText == "0000000105\nTrue\n0000000105\n", "\(outcome)")
    }

    @Test func socketIsTheUsersOwn() async throws {
        try await home.withAgent { [home] agent in
            let modes = try await home.shell(
                "stat -c %a \"$1\" \"$2\"", agent.socket, "\(home.runtime)/lanyard")
            #expect(modes.outputText == "600\n700\n")
        }
    }

    /// The modes let the other user through here, but the agent looks at who connects.
    @Test(.needs(.root, .systemPython)) func anotherUserIsNotServed() async throws {
        let socket = "\(home.path)/socket"
        try await home.withAgent(["--socket", socket], socket: socket) { [home] agent in
            let script = """
                import socket, sys
                client = socket.socket(socket.AF_UNIX)
                client.connect(sys.argv[1])
                try:
                    client.sendall(b"\\0\\0\\0\\1\\x0b")
                    print(len(client.recv(100)))
                except OSError:
                    print("refused")
                """
            let outcome = try await home.shell(
                """
                chmod 666 "$1"
                /usr/bin/python3 -c "$2" "$1"
                setpriv --reuid 65534 --regid 65534 --clear-groups /usr/bin/python3 -c "$2" "$1"
                """, socket, script)
            #expect(["9\n0\n", "9\nrefused\n"].contains(outcome.outputText), "\(outcome)")
            #expect(try await agent.list() == [])
        }
    }

    @Test func secondAgentIsRefusedAndAnOldSocketReplaced() async throws {
        try await home.withAgent { [home] agent in
            let second = try await home.command("lanyard-ssh-agent", []).run()
            #expect(second.status == 1, "\(second)")
            #expect(
                second.errorText == "lanyard: error: another agent listens at '\(agent.socket)'\n")
            #expect(try await agent.list() == [])
        }
        let socket = "\(home.path)/old"
        try await home.shell(
            """
            lanyard-ssh-agent --socket "$1" &
            until [ -S "$1" ]; do sleep 0.02; done
            kill -KILL $!; wait $! || :
            [ -S "$1" ]
            lanyard-ssh-agent --socket "$1" &
            # 2 if there is no agent, 1 if it has no keys.
            status=2
            until [ $status = 1 ]; do
                status=0
                SSH_AUTH_SOCK=$1 ssh-add -l || status=$?
                sleep 0.02
            done
            kill $!; wait $!; ! test -e "$1"
            """, socket)
    }

    @Test func otherFileIsNotReplaced() async throws {
        let file = try home.write("text", to: "file")
        let outcome = try await home.command("lanyard-ssh-agent", ["--socket", file]).run()
        #expect(outcome.status == 1)
        #expect(outcome.errorText == "lanyard: error: '\(file)' is not a socket\n")
        #expect(try home.read(file) == Array("text".utf8))
    }

    @Test(arguments: [
        (["--socket"], "--socket needs a value"), (["--fast"], "unknown argument '--fast'"),
        (["extra"], "unknown argument 'extra'"),
    ])
    func wrongUsageIsRefused(_ arguments: [String], _ reason: String) async throws {
        let outcome = try await home.command("lanyard-ssh-agent", arguments).run()
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(
            outcome.errorText
                == "lanyard: error: \(reason)\nlanyard: hint: lanyard-ssh-agent --help\n")
    }

    @Test func runtimeFolderIsNeeded() async throws {
        let outcome = try await home.command(
            "lanyard-ssh-agent", [], variables: ["XDG_RUNTIME_DIR": nil]
        ).run()
        #expect(outcome.status == 1)
        #expect(
            outcome.errorText == """
                lanyard: error: XDG_RUNTIME_DIR is not set
                lanyard: hint: name the socket with --socket

                """)
    }

    @Test(.needs(.python)) func socketOfSystemdIsUsedAndKept() async throws {
        let outcome = try await home.command(
            "python3",
            [
                "-c",
                """
                import os, signal, socket, subprocess, sys
                listener = socket.socket(socket.AF_UNIX)
                listener.bind(sys.argv[1])
                listener.listen()
                agent = os.fork()
                if agent == 0:
                    os.dup2(listener.fileno(), 3)
                    os.set_inheritable(3, True)
                    os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
                    os.execvp("lanyard-ssh-agent", ["lanyard-ssh-agent"])
                subprocess.run(["ssh-add", "-l"], env=os.environ | {"SSH_AUTH_SOCK": sys.argv[1]})
                os.kill(agent, signal.SIGTERM)
                sys.exit(os.waitpid(agent, 0)[1])
                """,
                "\(home.path)/passed",
            ]
        ).run()
        expectAnswer(outcome, "The agent has no identities.\n")
        #expect(access("\(home.path)/passed", F_OK) == 0)
    }
}
