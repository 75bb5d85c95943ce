/// A get of a helper: how `lanyard set --for` stores its login, and how the helper is called.
private struct HelperGet {
    let helper: String
    let set: [String]
    var get: [String] = []
    var input = ""
    /// A part of the answer.
    var expected = Login.password(0)
}

/// The helpers that are measured. Not among them: keyring-lanyard, which is held against Python's keyring, and
/// askpass-lanyard, which answers a program once.
private let gets = [
    HelperGet(
        helper: "docker-credential-lanyard", set: ["docker", "registry.example", Login.user],
        get: ["get"], input: "registry.example"),
    HelperGet(
        helper: "aws-credential-lanyard", set: ["aws", "work", "AKIAEXAMPLE"], get: ["work"]),
    HelperGet(
        helper: "bazel-credential-lanyard", set: ["bazel", "https://bazel.example"], get: ["get"],
        input: #"{"uri":"https://bazel.example/a"}"#),
    HelperGet(
        helper: "cargo-credential-lanyard", set: ["cargo", "https://cargo.example/index/"],
        get: ["--cargo-plugin"],
        input:
            #"{"v":1,"registry":{"index-url":"sparse+https://cargo.example/index/"},"kind":"get","operation":"read","args":[]}"#
            + "\n"),
    HelperGet(
        helper: "terraform-credentials-lanyard", set: ["terraform", "https://tf.example"],
        get: ["get", "tf.example"]),
    HelperGet(
        helper: "vault-token-lanyard", set: ["vault", "https://127.0.0.1:8200"], get: ["get"]),
    HelperGet(
        helper: "ansible-lanyard-client", set: ["ansible", "dev"], get: ["--vault-id", "dev"]),
    HelperGet(
        helper: "gcloud-credential-lanyard", set: ["gcloud", "//iam.googleapis.com/x"],
        get: ["//iam.googleapis.com/x"]),
    HelperGet(
        helper: "goauth-lanyard", set: ["go", "https://go.example", Login.user],
        get: ["https://go.example"], expected: "Authorization: Basic "),
    HelperGet(
        helper: "kubectl-credential-lanyard", set: ["kubectl", "https://k.example:6443"],
        get: ["https://k.example:6443"]),
    HelperGet(
        helper: "pnpm-token-lanyard", set: ["npm", "https://npm.example/"],
        get: ["https://npm.example/"]),
    HelperGet(
        helper: "podman-secret-lanyard", set: ["podman", podmanSecret], get: ["lookup"]),
    HelperGet(
        helper: "pinentry-lanyard", set: ["gpg", keyGrip],
        input: "SETKEYINFO n/\(keyGrip)\nGETPIN\nBYE\n"),
    HelperGet(
        helper: "nuget-plugin-lanyard", set: ["nuget", "https://nuget.example", "ada"],
        get: ["-Plugin"],
        input: #"{"RequestId":"1","Type":"Request","Method":"GetAuthenticationCredentials","#
            + #""Payload":{"Uri":"https://nuget.example/v3/index.json","IsRetry":false}}"#
            + "\n" + #"{"RequestId":"2","Type":"Request","Method":"Close","Payload":null}"# + "\n"),
]

private let podmanSecret = "database"
private let keyGrip = String(repeating: "A", count: 40)

/// The names of these helpers.
let toolHelpers = gets.map(\.helper)

/// Measures a get of the helpers of several tools beside one of git's helper, each with one login.
func measureToolHelpers() throws {
    let home = try filledHome(1, group: "git")
    let environment = [
        "LANYARD_HOME": home, "LANYARD_KEYCHAIN": "login", "SECRET_ID": podmanSecret,
    ]
    let password = "\(Options.scratch)/password"
    write(password, Login.password(0))
    let request = GitRequests(rounds: 0, among: 1).get(0)
    let git = GitHelpers.ours(home: home)
        .doing("get", { _ in request }, expecting: "password=\(Login.password(0))\n")
    var programs: [Program] = []
    for get in gets {
        let storing = Program(
            name: get.helper, path: "\(Options.bin)/lanyard",
            arguments: ["set", "--stdin", "--for"] + get.set,
            environment: environment, input: { _ in password })
        let file = "\(Options.scratch)/\(get.helper)"
        write(file, get.input)
        guard run(storing, round: 0).status == 0 else {
            say("tool helper get | \(get.helper) | does not store |")
            continue
        }
        programs.append(
            Program(
                name: get.helper, path: "\(Options.bin)/\(get.helper)", arguments: get.get,
                environment: environment, input: { _ in file }, expected: get.expected))
    }
    for program in programs {
        Comparison(work: "\(program.name) get", programs: [program, git]).measure()
    }
}
