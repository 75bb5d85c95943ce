import Testing
@testable import EndToEndRig

/// gcloud-credential-lanyard and Google's own library for Python, google-auth.
@Suite(.needs(.googleAuth), .timeLimit(.minutes(10)))
struct GoogleAuthTests {
    let home: ScratchHome
    private static let audience = "//iam.googleapis.com/projects/1/providers/x"
    private static let token = "token-bilby.0123456789_abc"

    /// Prints the token that the library would exchange with Google, or that it gets for it from another server.
    private static let client = """
        import sys
        from google.auth import pluggable
        from google.auth.transport import requests
        credentials = pluggable.Credentials.from_info({
            "audience": sys.argv[2],
            "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
            "token_url": sys.argv[3] if len(sys.argv) > 3 else "https://sts.googleapis.com/v1/token",
            "credential_source": {
                "executable": {"command": sys.argv[1] + " " + sys.argv[2], "timeout_millis": 30000}
            },
        })
        try:
            if len(sys.argv) > 3:
                credentials.refresh(requests.Request())
                print(credentials.token)
            else:
                print(credentials.retrieve_subject_token(None))
        except Exception as error:
            sys.exit("%s: %s" % (type(error).__name__, error))
        """

    init() throws {
        home = try ScratchHome()
    }

    private func retrieve(
        _ audience: String = audience, from server: String...
    ) async throws -> Outcome {
        let helper = "\(try Programs.folder())/gcloud-credential-lanyard"
        return try await home.command(
            "setsid", ["--wait", "python3", "-c", Self.client, helper, audience] + server,
            variables: ["GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": "1"]
        ).run()
    }

    @Test func aToken() async throws {
        try await home.set("--for", "gcloud", Self.audience, secret: Self.token)
        let other = "//iam.googleapis.com/projects/2/providers/x"
        try await home.set("--for", "gcloud", other, secret: "others-token")
        expectAnswer(try await retrieve(), "\(Self.token)\n")
        expectAnswer(try await retrieve(other), "others-token\n")
        let missing = try await retrieve("//iam.googleapis.com/other")
        #expect(missing.status == 1 && missing.output.isEmpty, "\(missing)")
        #expect(
            missing.errorText.hasPrefix(
                "RefreshError: ('Executable returned unsuccessful response: code: -25300, ")
                || missing.errorText.hasPrefix(
                    "RefreshError: Executable returned unsuccessful response: code: -25300, "),
            "\(missing)")
        #expect(missing.errorText.contains("found no token for this audience"), "\(missing)")
        try await home.setPassphrase()
        let locked = try await retrieve()
        #expect(locked.status == 1 && locked.output.isEmpty, "\(locked)")
        #expect(locked.errorText.contains("the keychain 'login' is locked"), "\(locked)")
    }

    /// The script in place of Google's server rejects any other token.
    @Test func aWrongToken() async throws {
        let server = ScriptedServer(
            script: """
                import urllib.parse
                class Handler(Base):
                    def do_POST(self):
                        form = urllib.parse.parse_qs(self.body().decode())
                        if form["subject_token"] != arguments:
                            return self.reply(400, b'{"error":"invalid_grant"}')
                        answer = {"access_token": "theirs", "token_type": "Bearer", "expires_in": 3600,
                                  "issued_token_type": "urn:ietf:params:oauth:token-type:access_token"}
                        self.reply(200, json.dumps(answer).encode())
                """, arguments: [Self.token])
        try await server.serve(home) { [self] port in
            let address = "http://127.0.0.1:\(port)/v1/token"
            try await home.set("--for", "gcloud", Self.audience, secret: "wrong")
            let wrong = try await retrieve(from: address)
            #expect(wrong.status == 1 && wrong.errorText.contains("invalid_grant"), "\(wrong)")
            try await home.set("--for", "gcloud", Self.audience, secret: Self.token)
            expectAnswer(try await retrieve(from: address), "theirs\n")
        }
    }

    @Test func anExpiredToken() async throws {
        // The claims are {"exp":1}.
        try await home.set("--for", "gcloud", Self.audience, secret: "e30.eyJleHAiOjF9.c2ln")
        let outcome = try await retrieve()
        #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText.contains("the stored token has expired"), "\(outcome)")
    }
}
