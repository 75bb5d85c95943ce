import Testing

/// What clients were seen to send, and what they have to be answered.
@Suite("Transcripts")
struct TranscriptTests {
    private func play(_ steps: [(operation: String, request: String, answer: String)]) -> DockerRig
    {
        let rig = DockerRig()
        for step in steps {
            #expect(rig.run(step.operation, step.request) == step.answer, "\(step.request)")
        }
        return rig
    }

    static let notFound = "1: credentials not found in native keychain"

    @Test("docker login, pull, logout: docker's registry")
    func docker() {
        let url = "https://index.docker.io/v1/"
        let answer =
            #"{"ServerURL":"https://index.docker.io/v1/","Username":"ada","Secret":"pw"}"# + "\n"
        let rig = play([
            ("get", url + "\n", Self.notFound),
            ("get", url, Self.notFound),
            (
                "store",
                #"{"ServerURL":"https://index.docker.io/v1/","Username":"ada","Secret":"pw"}"#
                    + "\n", ""
            ),
            ("get", url, answer),
            ("list", "", #"{"https://index.docker.io/v1/":"ada"}"# + "\n"),
            ("erase", url, ""),
            ("get", url, Self.notFound),
            ("erase", url, ""),
            ("list", "", "{}\n"),
        ])
        #expect(rig.hints.isEmpty)
    }

    @Test("docker logs in, skopeo and podman find it under the bare name, and the other way round")
    func names() {
        _ = play([
            (
                "store",
                #"{"ServerURL":"https://index.docker.io/v1/","Username":"ada","Secret":"pw"}"#, ""
            ),
            (
                "get", "docker.io",
                #"{"ServerURL":"docker.io","Username":"ada","Secret":"pw"}"# + "\n"
            ),
            ("erase", "docker.io", ""),
            ("store", #"{"ServerURL":"docker.io","Username":"bob","Secret":"p"}"#, ""),
            (
                "get", "https://index.docker.io/v1/",
                #"{"ServerURL":"https://index.docker.io/v1/","Username":"bob","Secret":"p"}"# + "\n"
            ),
            ("list", "", #"{"docker.io":"bob"}"# + "\n"),
        ])
    }

    @Test("docker's device login: three items, one logout")
    func deviceLogin() {
        let index = "https://index.docker.io/v1/"
        let rig = play([
            ("store", DockerRig.request(index, "ada", "pat"), ""),
            ("store", DockerRig.request(index + "access-token", "ada", "jwt"), ""),
            ("store", DockerRig.request(index + "refresh-token", "ada", "opaque"), ""),
            ("get", index, #"{"ServerURL":"\#(index)","Username":"ada","Secret":"pat"}"# + "\n"),
            (
                "get", index + "access-token",
                #"{"ServerURL":"\#(index)access-token","Username":"ada","Secret":"jwt"}"# + "\n"
            ),
            (
                "list", "",
                #"{"\#(index)":"ada","\#(index)access-token":"ada","\#(index)refresh-token":"ada"}"#
                    + "\n"
            ),
            ("erase", index, ""),
            ("get", index, Self.notFound),
            ("get", "docker.io", Self.notFound),
            ("erase", index + "access-token", ""),
            ("list", "", #"{"\#(index)refresh-token":"ada"}"# + "\n"),
            ("erase", index + "refresh-token", ""),
            ("list", "", "{}\n"),
        ])
        #expect(rig.hints.isEmpty)
    }

    @Test("a registry on a port, by docker; nerdctl names the port of https")
    func ports() {
        _ = play([
            ("store", DockerRig.request("localhost:5000", "ada", "pw"), ""),
            (
                "get", "localhost:5000",
                #"{"ServerURL":"localhost:5000","Username":"ada","Secret":"pw"}"# + "\n"
            ),
            ("get", "localhost", Self.notFound),
            ("get", "http://localhost:5000", Self.notFound),
            ("store", DockerRig.request("example.com:443", "bob", "pw"), ""),
            (
                "get", "example.com",
                #"{"ServerURL":"example.com","Username":"bob","Secret":"pw"}"# + "\n"
            ),
        ])
    }

    @Test("go-containerregistry asks for the repository, then for the registry")
    func repository() {
        _ = play([
            ("store", DockerRig.request("example.com", "ada", "pw"), ""),
            (
                "get", "example.com/team/image",
                #"{"ServerURL":"example.com/team/image","Username":"ada","Secret":"pw"}"# + "\n"
            ),
            ("store", DockerRig.request("example.com/team/image", "bot", "t"), ""),
            (
                "get", "example.com/team/image",
                #"{"ServerURL":"example.com/team/image","Username":"bot","Secret":"t"}"# + "\n"
            ),
            (
                "get", "example.com",
                #"{"ServerURL":"example.com","Username":"ada","Secret":"pw"}"# + "\n"
            ),
            ("erase", "example.com", ""),
            (
                "get", "example.com",
                #"{"ServerURL":"example.com","Username":"bot","Secret":"t"}"# + "\n"
            ),
        ])
    }
}
