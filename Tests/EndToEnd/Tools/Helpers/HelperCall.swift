import Foundation
import Testing
@testable import EndToEndRig

/// How a client calls one of the helpers for a secret, twice: for two accounts of one place where the protocol knows
/// accounts, else for two places. One row for each helper: ``all``.
struct HelperCall: Sendable, CustomTestStringConvertible {
    let helper: String
    let logins: [Login]
    /// How it ends if nothing is stored.
    let missing: Ending
    /// How it ends if the keychain is locked and no one can unlock it.
    let locked: Ending
    /// Whether the request is on standard input, which all others must leave alone.
    var readsInput = true
    /// Whether it may ask the user to unlock the keychain: some clients don't wait that long.
    var asks = true

    var testDescription: String { helper }

    struct Login: Sendable {
        let secret: String
        /// The arguments of `lanyard set`.
        let set: [String]
        let arguments: [String]
        var input = ""
        var variables: [String: String] = [:]
        /// The whole answer.
        let answer: String
    }

    /// How a call ends.
    struct Ending: Sendable {
        let status: Int32
        /// The whole output.
        let output: String
        /// A part of the only message, empty for none.
        let error: String

        func expect(_ outcome: Outcome, sourceLocation: SourceLocation = #_sourceLocation) {
            let isAsExpected =
                outcome.status == status && outcome.outputText == output
                && (error.isEmpty ? outcome.error.isEmpty : outcome.errorText.contains(error))
            #expect(isAsExpected, "\(outcome)", sourceLocation: sourceLocation)
        }
    }

    private init(
        _ helper: String, missing: Ending, locked: Ending = .lockedError, readsInput: Bool = false,
        asks: Bool = true, _ login: (_ isFirst: Bool, _ secret: String) -> Login
    ) {
        self.helper = helper
        self.missing = missing
        self.locked = locked
        self.readsInput = readsInput
        self.asks = asks
        logins = [login(true, "hunter2+bilby"), login(false, "of-another/bilby")]
    }

    /// A helper of `tool` that takes its request in its arguments.
    private init(
        _ helper: String, _ tool: String, missing: Ending, locked: Ending = .lockedError,
        _ login: (_ isFirst: Bool, _ secret: String) -> (
            set: [String], arguments: [String], answer: String
        )
    ) {
        self.init(helper, missing: missing, locked: locked) { isFirst, secret in
            let (set, arguments, answer) = login(isFirst, secret)
            return Login(
                secret: secret, set: ["--for", tool] + set, arguments: arguments, answer: answer)
        }
    }
}

extension HelperCall.Ending {
    fileprivate static let lockedError = HelperCall.Ending(
        status: 1, output: "", error: "lanyard: error: the keychain 'login' is locked")

    /// The protocol's own way to say that nothing is stored.
    fileprivate static func answer(_ output: String) -> HelperCall.Ending {
        HelperCall.Ending(status: 0, output: output, error: "")
    }

    fileprivate static func error(_ message: String, status: Int32 = 1) -> HelperCall.Ending {
        HelperCall.Ending(status: status, output: "", error: "lanyard: error: \(message)")
    }
}

/// The user and the password in a header.
private func basic(_ user: String, _ password: String) -> String {
    Data("\(user):\(password)".utf8).base64EncodedString()
}

extension HelperCall {
    /// A row for each name of lanyard-helper, and for git's and docker's.
    static let all = [
        git, docker, ansible, askpass, aws, bazel, cargo, gcloud, go, gpg, keyring, kubectl, nuget,
        pnpm, podman, terraform, vault,
    ]

    private static let git = HelperCall(
        "git-credential-lanyard", missing: .answer(""), readsInput: true
    ) { isFirst, secret in
        let user = isFirst ? "ada" : "eve"
        return Login(
            secret: secret, set: ["--for", "git", "https://\(user)@a.example"], arguments: ["get"],
            input: "protocol=https\nhost=a.example\nusername=\(user)\n\n",
            answer: "username=\(user)\npassword=\(secret)\n")
    }

    /// docker can do without a login, but for an error it stops.
    private static let docker = HelperCall(
        "docker-credential-lanyard",
        missing: Ending(
            status: 1, output: "credentials not found in native keychain\n", error: ""),
        locked: Ending(
            status: 1, output: "credentials not found in native keychain\n",
            error: "lanyard: hint: lanyard unlock"), readsInput: true
    ) { isFirst, secret in
        let host = isFirst ? "a.example" : "b.example"
        return Login(
            secret: secret, set: ["--for", "docker", host, "ada"], arguments: ["get"], input: host,
            answer: #"{"ServerURL":"\#(host)","Username":"ada","Secret":"\#(secret)"}"# + "\n")
    }

    private static let ansible = HelperCall(
        "ansible-lanyard-client", "ansible",
        missing: .error("found no password for the vault ID", status: 2)
    ) { isFirst, secret in
        let id = isFirst ? "dev" : "prod"
        return ([id], ["--vault-id", id], "\(secret)\n")
    }

    private static let askpass = HelperCall(
        "askpass-lanyard", "askpass", missing: .error("no secret is stored for this")
    ) { isFirst, secret in
        let user = isFirst ? "ada" : "eve"
        return (["ssh://\(user)@a.example"], ["\(user)@a.example's password: "], "\(secret)\n")
    }

    private static let aws = HelperCall(
        "aws-credential-lanyard", "aws", missing: .error("found no access key for the profile")
    ) { isFirst, secret in
        let (profile, key) = isFirst ? ("work", "AKIA1") : ("home", "AKIA2")
        return (
            [profile, key], [profile],
            #"{"Version":1,"AccessKeyId":"\#(key)","SecretAccessKey":"\#(secret)"}"# + "\n"
        )
    }

    static let bazel = HelperCall(
        "bazel-credential-lanyard", missing: .answer(#"{"headers":{}}"# + "\n"),
        readsInput: true, asks: false
    ) { isFirst, secret in
        let address = "https://a.example/\(isFirst ? "ada" : "eve")"
        return Login(
            secret: secret, set: ["--for", "bazel", address], arguments: ["get"],
            input: #"{"uri":"\#(address)/ac/1"}"#,
            answer: #"{"headers":{"Authorization":["Bearer \#(secret)"]}}"# + "\n")
    }

    private static let cargo = HelperCall(
        "cargo-credential-lanyard",
        missing: .answer("{\"v\":[1]}\n{\"Err\":{\"kind\":\"not-found\"}}\n"),
        locked: .answer(
            "{\"v\":[1]}\n"
                + #"{"Err":{"kind":"other","message":"lanyard: error: the keychain 'login' "#
                + #"is locked, and lanyard can't prompt here","caused-by":["lanyard: hint: lanyard unlock"]}}"#
                + "\n"), readsInput: true
    ) { isFirst, secret in
        let index = "sparse+https://a.example/\(isFirst ? "ada" : "eve")/"
        return Login(
            secret: secret, set: ["--for", "cargo", index], arguments: ["--cargo-plugin"],
            input:
                #"{"v":1,"registry":{"index-url":"\#(index)"},"kind":"get","operation":"read","args":[]}"#
                + "\n",
            answer: "{\"v\":[1]}\n"
                + #"{"Ok":{"kind":"get","token":"\#(secret)","cache":"session","#
                + "\"operation_independent\":true}}\n")
    }

    /// Google's clients read errors in the answer.
    private static let gcloud = HelperCall(
        "gcloud-credential-lanyard", "gcloud",
        missing: .answer(
            #"{"version":1,"success":false,"code":"-25300","message":"found no token for this audience; "#
                + #"lanyard set --for gcloud //iam.googleapis.com/ada"}"# + "\n"),
        locked: .answer(
            #"{"version":1,"success":false,"code":"-25308","message":"the keychain 'login' is locked, "#
                + #"and lanyard can't prompt here; lanyard unlock"}"# + "\n")
    ) { isFirst, secret in
        let audience = "//iam.googleapis.com/\(isFirst ? "ada" : "eve")"
        return (
            [audience], [audience],
            #"{"version":1,"success":true,"token_type":"urn:ietf:params:oauth:token-type:jwt","#
                + #""id_token":"\#(secret)"}"# + "\n"
        )
    }

    private static let go = HelperCall("goauth-lanyard", "go", missing: .answer("")) {
        isFirst, secret in
        let user = isFirst ? "ada" : "eve"
        let address = "https://iam.googleapis.com/\(user)"
        return (
            [address, user], ["\(address)/x/@v/list"],
            "\(address)\n\nAuthorization: Basic \(basic(user, secret))\n\n"
        )
    }

    /// gpg-agent reads a number; without a stored passphrase a pinentry has to ask.
    private static let gpg = HelperCall(
        "pinentry-lanyard",
        missing: Ending(
            status: 0,
            output: "OK Lanyard answers\nOK\nERR 83886166 no pinentry\nOK closing connection\n",
            error: "lanyard: there is no pinentry that can ask"),
        locked: Ending(
            status: 0,
            output: "OK Lanyard answers\nOK\nERR 83886166 no pinentry\nOK closing connection\n",
            error: "lanyard: the passphrase can't be read: the keychain 'login' is locked"),
        readsInput: true
    ) { isFirst, secret in
        let grip = String(repeating: isFirst ? "A" : "B", count: 40)
        return Login(
            secret: secret, set: ["--for", "gpg", grip], arguments: [],
            input: "SETKEYINFO n/\(grip)\nGETPIN\nBYE\n",
            answer: "OK Lanyard answers\nOK\nD \(secret)\nOK\nOK closing connection\n")
    }

    /// pip takes status 1 without a message for "none".
    private static let keyring = HelperCall(
        "keyring-lanyard", "keyring", missing: Ending(status: 1, output: "", error: "")
    ) { isFirst, secret in
        let user = isFirst ? "ada" : "eve"
        return (
            ["https://a.example/simple", user], ["get", "https://a.example/simple", user],
            "\(secret)\n"
        )
    }

    private static let kubectl = HelperCall(
        "kubectl-credential-lanyard", "kubectl",
        missing: .error("found no token for ada on a.example")
    ) { isFirst, secret in
        let user = isFirst ? "ada" : "eve"
        return (
            ["https://a.example:6443", user], ["https://a.example:6443", user],
            #"{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"\#(secret)"}}"#
                + "\n"
        )
    }

    /// NuGet reads errors in the answer.
    static let nuget = HelperCall(
        "nuget-plugin-lanyard", missing: .answer(nugetAnswer(#"{"ResponseCode":"NotFound"}"#)),
        locked: .answer(
            nugetAnswer(
                #"{"Message":"lanyard: the keychain 'login' is locked, and lanyard can't prompt here; "#
                    + #"lanyard unlock","ResponseCode":"Error"}"#
            )),
        readsInput: true, asks: false
    ) { isFirst, secret in
        let user = isFirst ? "ada" : "eve"
        let address = "https://a.example/\(user)/index.json"
        return Login(
            secret: secret, set: ["--for", "nuget", address, user], arguments: ["-Plugin"],
            input: """
                {"RequestId":"1","Type":"Response","Method":"Handshake","Payload":{"ResponseCode":"Success",\
                "ProtocolVersion":"2.0.0"}}
                {"RequestId":"2","Type":"Request","Method":"GetAuthenticationCredentials",\
                "Payload":{"Uri":"\(address)","IsRetry":false}}
                {"RequestId":"3","Type":"Request","Method":"Close","Payload":null}

                """,
            answer: nugetAnswer(
                #"{"Username":"\#(user)","Password":"\#(secret)","AuthenticationTypes":["Basic"],"#
                    + #""ResponseCode":"Success"}"#))
    }

    private static func nugetAnswer(_ payload: String) -> String {
        """
        {"RequestId":"6c616e79-6172-4064-8000-000000000001","Type":"Request","Method":"Handshake",\
        "Payload":{"ProtocolVersion":"2.0.0","MinimumProtocolVersion":"2.0.0"}}
        {"RequestId":"2","Type":"Response","Method":"GetAuthenticationCredentials","Payload":\(payload)}

        """
    }

    private static let pnpm = HelperCall(
        "pnpm-token-lanyard", "npm", missing: .error("found no token for https://a.example/ada/")
    ) { isFirst, secret in
        let address = "https://a.example/\(isFirst ? "ada" : "eve")/"
        return ([address], [address], "Bearer \(secret)\n")
    }

    private static let podman = HelperCall(
        "podman-secret-lanyard", missing: .error("found no secret 'ada'")
    ) { isFirst, secret in
        let id = isFirst ? "ada" : "eve"
        return Login(
            secret: secret, set: ["--for", "podman", id], arguments: ["lookup"],
            variables: ["SECRET_ID": id], answer: secret)
    }

    private static let terraform = HelperCall(
        "terraform-credentials-lanyard", "terraform", missing: .answer("{}\n")
    ) { isFirst, secret in
        let host = isFirst ? "a.example" : "a.example:8443"
        return ([host], ["get", host], "{\"token\":\"\(secret)\"}\n")
    }

    private static let vault = HelperCall("vault-token-lanyard", missing: .answer("")) {
        isFirst, secret in
        let address = "https://a.example:\(isFirst ? 8200 : 8201)"
        return Login(
            secret: secret, set: ["--for", "vault", address], arguments: ["get"],
            variables: ["VAULT_ADDR": address], answer: secret)
    }
}
