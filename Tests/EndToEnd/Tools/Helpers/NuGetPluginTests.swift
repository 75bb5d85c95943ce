import Testing
@testable import EndToEndRig

/// nuget-plugin-lanyard with a client that speaks NuGet's protocol: a script, as dotnet is in no registry that the
/// tests use. It waits for each answer before it goes on, as NuGet does.
@Suite(.needs(.python), .timeLimit(.minutes(10)))
struct NuGetPluginTests {
    let home: ScratchHome

    /// Prints the payload of the answer to each request in its arguments, METHOD=PAYLOAD. An answer has 5 seconds.
    private static let client = """
        import json, select, subprocess, sys
        plugin = subprocess.Popen(
            ["nuget-plugin-lanyard", "-Plugin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        def read():
            if not select.select([plugin.stdout], [], [], 5)[0]:
                sys.exit("no answer in 5 seconds")
            return json.loads(plugin.stdout.readline())
        def write(kind, method, payload, number):
            message = {"RequestId": number, "Type": kind, "Method": method, "Payload": payload}
            plugin.stdin.write(json.dumps(message).encode() + b"\\r\\n")
            plugin.stdin.flush()
        def ask(method, payload, number):
            write("Request", method, payload, number)
            answer = read()
            assert (answer["RequestId"], answer["Type"], answer["Method"]) == (number, "Response", method)
            return answer["Payload"]
        theirs = read()
        assert theirs["Method"] == "Handshake" and theirs["Type"] == "Request"
        write("Response", "Handshake", {"ResponseCode": "Success", "ProtocolVersion": "2.0.0"}, theirs["RequestId"])
        versions = {"ProtocolVersion": "2.0.0", "MinimumProtocolVersion": "1.0.0"}
        assert ask("Handshake", versions, "a") == {"ResponseCode": "Success", "ProtocolVersion": "2.0.0"}
        for number, argument in enumerate(sys.argv[1:]):
            method, payload = argument.split("=", 1)
            print(json.dumps(ask(method, json.loads(payload), str(number)), sort_keys=True))
        write("Request", "Close", None, "z")
        sys.exit(plugin.wait(5))
        """

    init() throws {
        home = try ScratchHome()
    }

    private func ask(_ requests: String...) async throws -> Outcome {
        try await home.command("setsid", ["--wait", "python3", "-c", Self.client] + requests).run()
    }

    @Test func aLogin() async throws {
        let login =
            #"GetAuthenticationCredentials={"Uri":"https://nuget.example.com/v3/index.json","IsRetry":false}"#
        expectAnswer(
            try await ask(
                #"Initialize={"ClientVersion":"6.12.0","Culture":"en-US","RequestTimeout":"00:00:05"}"#,
                "GetOperationClaims={}", login),
            """
            {"ResponseCode": "Success"}
            {"Claims": ["Authentication"]}
            {"ResponseCode": "NotFound"}

            """)
        try await home.set(
            "--for", "nuget", "https://nuget.example.com/v3/index.json", "ada", secret: "hunter2")
        expectAnswer(
            try await ask(login, login.replacing("false", with: "true")),
            """
            {"AuthenticationTypes": ["Basic"], "Password": "hunter2", "ResponseCode": "Success", "Username": "ada"}
            {"Message": "lanyard: the stored login for https://nuget.example.com/v3/index.json was rejected", "ResponseCode": "NotFound"}

            """)
        // Two feeds of a host, each with its account.
        try await home.set(
            "--for", "nuget", "https://nuget.example.com/eve/", "eve", secret: "second")
        let both = try await ask(login, login.replacing("/v3/", with: "/eve/v3/"))
        #expect(both.status == 0, "\(both)")
        #expect(
            both.outputText.contains("\"Username\": \"ada\"}\n")
                && both.outputText.hasSuffix("\"Username\": \"eve\"}\n"), "\(both)")
        try await home.setPassphrase()
        let locked = try await ask(login)
        #expect(locked.status == 0 && locked.errorText.isEmpty, "\(locked)")
        #expect(
            locked.outputText.hasPrefix("{\"Message\": \"lanyard: the keychain 'login' is locked"),
            "\(locked)")
        #expect(locked.outputText.hasSuffix("\"ResponseCode\": \"Error\"}\n"), "\(locked)")
    }

    /// Without dotnet the setup says so, and not that dotnet is set up.
    @Test func importAndSetup() async throws {
        try home.writeAtHome(
            """
            <configuration>
              <packageSources>
                <add key="Mine" value="https://nuget.example.com/v3/index.json" />
              </packageSources>
              <packageSourceCredentials>
                <Mine>
                  <add key="Username" value="ada" />
                  <add key="ClearTextPassword" value="hunter2" />
                </Mine>
              </packageSourceCredentials>
            </configuration>

            """, to: ".nuget/NuGet/NuGet.Config")
        try await home.expectImport("nuget", "--remove-plain-text", saying: "import    1 new")
        let rest = home.textAtHome(".nuget/NuGet/NuGet.Config") ?? ""
        #expect(!rest.contains("<Mine>") && rest.contains("key=\"Mine\""))
        let answer = try await ask(
            #"GetAuthenticationCredentials={"Uri":"https://nuget.example.com/v3/index.json","IsRetry":false}"#
        )
        #expect(answer.outputText.contains("\"Password\": \"hunter2\""), "\(answer)")
        let setup = try await home.lanyard("setup", "nuget")
        #expect(setup.status == 0, "\(setup)")
        #expect(setup.outputText.contains("note      dotnet is not on the PATH\n"), "\(setup)")
        #expect(setup.outputText.hasSuffix("note      nothing to change for nuget\n"), "\(setup)")
        #expect(!setup.outputText.contains("is set up"), "\(setup)")
    }
}
