import Foundation
import Testing
@testable import EndToEndRig

/// aws-credential-lanyard gives the real aws an access key; the server checks its signatures.
@Suite(.needs(.python), .timeLimit(.minutes(10)))
struct AWSTests {
    private static let secret = "aws/secret+bilby/0123456789"
    private static let token = "session-token-bilby=="
    private static let othersSecret = "aws/secret+quoll/0123456789"

    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        _ = try home.write(
            """
            [profile work]
            region = eu-central-1
            credential_process = \(try Programs.folder())/aws-credential-lanyard work
            [profile other]
            region = eu-central-1
            credential_process = \(try Programs.folder())/aws-credential-lanyard other

            """, to: "aws-config")
    }

    private func aws(_ arguments: String...) async throws -> Outcome {
        try await home.command(
            "setsid", ["--wait", "aws"] + arguments,
            variables: [
                "AWS_CONFIG_FILE": "\(home.path)/aws-config", "AWS_PROFILE": "work",
                "AWS_SHARED_CREDENTIALS_FILE": "/dev/null", "AWS_EC2_METADATA_DISABLED": "true",
                "AWS_MAX_ATTEMPTS": "1",
            ]
        ).run()
    }

    private func withService(
        _ body: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        let server = ScriptedServer(
            script: AWSTests.service,
            arguments: [AWSTests.secret, AWSTests.token, AWSTests.othersSecret])
        try await server.serve(home) { port in try await body("http://127.0.0.1:\(port)") }
    }

    private func set(_ key: String, _ secret: String) async throws {
        try await home.set("--for", "aws", "work", key, secret: secret)
    }

    @Test(.needs(.aws)) func signsRequests() async throws {
        try await withService { address in
            func identity() async throws -> Outcome {
                try await aws("sts", "get-caller-identity", "--endpoint-url", address)
            }
            let missing = try await identity()
            #expect(missing.status != 0, "\(missing)")
            #expect(
                missing.errorText.contains("found no access key for the profile 'work'"),
                "\(missing)")
            try await set("AKIAEXAMPLE0", "wrong")
            let wrong = try await identity()
            #expect(wrong.status != 0 && wrong.errorText.contains("Forbidden"), "\(wrong)")
            try await set("AKIAEXAMPLE0", AWSTests.secret)
            let right = try await identity()
            #expect(
                right.status == 0 && right.outputText.contains("AKIAEXAMPLE0 alone"), "\(right)")
            // The key that changed last is the one in use.
            try await set(
                "ASIAEXAMPLE1",
                "\(AWSTests.secret)\nsession_token=\(AWSTests.token)\nexpiration=2999-01-31T12:00:00Z"
            )
            let session = try await identity()
            #expect(
                session.status == 0 && session.outputText.contains("ASIAEXAMPLE1 session"),
                "\(session)")
            #expect(home.files(containing: AWSTests.secret) == [])
            try await set(
                "ASIAEXAMPLE1",
                "\(AWSTests.secret)\nsession_token=\(AWSTests.token)\nexpiration=2020-01-31T12:00:00Z"
            )
            let other = try await identity()
            #expect(other.outputText.contains("AKIAEXAMPLE0 alone"), "\(other)")
            try await home.succeeds(
                "lanyard", "remove", "--group", "aws", "work", "AKIAEXAMPLE0")
            let expired = try await identity()
            #expect(expired.status != 0, "\(expired)")
            #expect(expired.errorText.contains("the session of 'work' has expired"), "\(expired)")
        }
    }

    @Test(.needs(.aws)) func eachProfileHasItsKey() async throws {
        try await set("AKIAEXAMPLE0", AWSTests.secret)
        try await home.set(
            "--for", "aws", "other", "AKIAOTHER0", secret: AWSTests.othersSecret)
        try await withService { address in
            for (profile, key) in [("work", "AKIAEXAMPLE0"), ("other", "AKIAOTHER0")] {
                let identity = try await aws(
                    "--profile", profile, "sts", "get-caller-identity", "--endpoint-url", address)
                #expect(
                    identity.status == 0 && identity.outputText.contains("\(key) alone"),
                    "\(identity)")
            }
        }
    }

    @Test(.needs(.aws)) func whileLocked() async throws {
        try await set("AKIAEXAMPLE0", AWSTests.secret)
        try await home.setPassphrase()
        let locked = try await aws(
            "sts", "get-caller-identity", "--endpoint-url", "http://127.0.0.1:1")
        #expect(locked.status != 0 && locked.output.isEmpty, "\(locked)")
        #expect(locked.errorText.contains("the keychain 'login' is locked"), "\(locked)")
    }

    /// Calls the helper as aws does.
    @Test func printsCredentials() async throws {
        try await set("AKIAEXAMPLE0", AWSTests.secret)
        let printed = try await home.command(
            "sh", ["-c", "aws-credential-lanyard work && cat"], input: Array("rest".utf8)
        ).run()
        expectAnswer(
            printed,
            """
            {"Version":1,"AccessKeyId":"AKIAEXAMPLE0","SecretAccessKey":"\(AWSTests.secret)"}
            rest
            """)
        // What lanyard shows is the secret access key, and when the session ends.
        try await set("AKIAEXAMPLE0", "\(AWSTests.secret)\nexpiration=2999-01-31T12:00:00Z")
        let shown = try await home.lanyard("get", "--group", "aws", "work", "AKIAEXAMPLE0")
        expectAnswer(shown, "\(AWSTests.secret)\n")
        for (arguments, secret) in [
            (["work"], "x"), (["https://a.example", "ada"], "x"), (["work", "AKIA1"], "x\nmore"),
            (["work", "AKIA1"], "x\nexpiration=soon"),
        ] {
            let refused = try await home.command(
                "lanyard", ["set", "--stdin", "--for", "aws"] + arguments,
                input: Array(secret.utf8)
            ).run()
            #expect(refused.status != 0 && refused.output.isEmpty, "\(refused)")
        }
    }

    private static let service = """
        import hmac
        secret, token, others = arguments
        def digest(key, text):
            return hmac.new(key, text.encode(), hashlib.sha256).digest()
        class Handler(Base):
            def do_POST(self):
                body = self.body()
                kind, parts = self.headers["Authorization"].split(" ", 1)
                parts = dict(part.strip().split("=", 1) for part in parts.split(","))
                key, *scope = parts["Credential"].split("/")
                signed = parts["SignedHeaders"].split(";")
                request = "\\n".join(
                    ["POST", self.path, ""] + [f"{name}:{self.headers[name].strip()}" for name in signed]
                    + ["", ";".join(signed), hashlib.sha256(body).hexdigest()])
                text = "\\n".join([kind, self.headers["X-Amz-Date"], "/".join(scope),
                                  hashlib.sha256(request.encode()).hexdigest()])
                signing = ("AWS4" + (others if key == "AKIAOTHER0" else secret)).encode()
                for part in scope:
                    signing = digest(signing, part)
                given = self.headers.get("X-Amz-Security-Token")
                if digest(signing, text).hex() != parts["Signature"] or given not in (None, token):
                    return self.reply(403, b"<ErrorResponse><Error><Code>Forbidden</Code></Error></ErrorResponse>")
                kind = "session" if given else "alone"
                self.reply(200, f'''<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
                    <GetCallerIdentityResult><Arn>{key} {kind}</Arn><UserId>u</UserId><Account>1</Account>
                    </GetCallerIdentityResult></GetCallerIdentityResponse>'''.encode(), Content_Type="text/xml")
        """
}

extension Need {
    fileprivate static let aws = Need(missing: "there is no aws") {
        try await succeeds("aws", "--version")
    }
}
