/// The helpers that are measured, each with how `lanyard set --for` stores its login and how it is called. Not among
/// them: askpass-lanyard, which answers a program once.
private let calls: [(helper: String, set: [String], get: [String], input: String)] = [
    ("aws-credential-lanyard", ["aws", "work", "AKIAEXAMPLE"], ["work"], ""),
    (
        "bazel-credential-lanyard", ["bazel", "https://bazel.example"], ["get"],
        #"{"uri":"https://bazel.example/a"}"#
    ),
    (
        "cargo-credential-lanyard", ["cargo", "https://cargo.example/index/"], ["--cargo-plugin"],
        #"{"v":1,"registry":{"index-url":"sparse+https://cargo.example/index/"},"kind":"get","operation":"read","args":[]}"#
            + "\n"
    ),
    (
        "terraform-credentials-lanyard", ["terraform", "https://tf.example"],
        ["get", "tf.example"],
        ""
    ),
    ("vault-token-lanyard", ["vault", "https://127.0.0.1:8200"], ["get"], ""),
    ("ansible-lanyard-client", ["ansible", "dev"], ["--vault-id", "dev"], ""),
    ("gcloud-credential-lanyard", ["gcloud", "//gcloud.example"], ["//gcloud.example"], ""),
    (
        "kubectl-credential-lanyard", ["kubectl", "https://k.example:6443"],
        ["https://k.example:6443"], ""
    ),
    ("pnpm-token-lanyard", ["npm", "https://npm.example/"], ["https://npm.example/"], ""),
    (
        "pinentry-lanyard", ["gpg", String(repeating: "A", count: 40)], [],
        "SETKEYINFO n/\(String(repeating: "A", count: 40))\nGETPIN\nBYE\n"
    ),
    (
        "nuget-plugin-lanyard", ["nuget", "https://nuget.example", "ada"], ["-Plugin"],
        #"{"RequestId":"1","Type":"Request","Method":"GetAuthenticationCredentials","#
            + #""Payload":{"Uri":"https://nuget.example/v3/index.json","IsRetry":false}}"#
            + "\n" + #"{"RequestId":"2","Type":"Request","Method":"Close","Payload":null}"# + "\n"
    ),
    (
        "keyring-lanyard", ["keyring", "https://pypi.example/simple", "ada"],
        ["get", "https://pypi.example/simple", "ada"], ""
    ),
]

/// The names of these helpers.
let toolHelpers = calls.map(\.helper)

/// Measures a get of the helpers of several tools beside one of git's helper, each with one login.
func measureToolHelpers() throws {
    let home = try filledHome(1, group: "git")
    let environment = ["LANYARD_HOME": home, "LANYARD_KEYCHAIN": "login"]
    let password = "\(Options.scratch)/password"
    write(password, Login.password(0))
    let request = GitRequests(rounds: 0, among: 1).get(0)
    let git = GitHelpers.ours(home: home)
        .doing("get", { _ in request }, expecting: "password=\(Login.password(0))\n")
    var programs: [Program] = []
    for (helper, set, get, input) in calls {
        let storing = Program(
            name: helper, path: "\(Options.bin)/lanyard",
            arguments: ["set", "--stdin", "--for"] + set,
            environment: environment, input: { _ in password })
        let file = "\(Options.scratch)/\(helper)"
        write(file, input)
        guard run(storing, round: 0).status == 0 else {
            say("tool helper get | \(helper) | does not store |")
            continue
        }
        programs.append(
            Program(
                name: helper, path: "\(Options.bin)/\(helper)", arguments: get,
                environment: environment, input: { _ in file }, expected: Login.password(0)))
    }
    for program in programs {
        Comparison(work: "\(program.name) get", programs: [program, git]).measure()
    }
}
