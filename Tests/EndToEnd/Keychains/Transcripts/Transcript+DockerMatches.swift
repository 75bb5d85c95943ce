@testable import EndToEndRig

extension Transcript {
    /// A login under one URL, asked for by another: found, or not.
    private static func find(
        _ rule: String, _ stored: String, _ asked: String, _ isFound: Bool = true
    ) -> Transcript {
        func login(_ url: String) -> String {
            #"{"ServerURL":"\#(url)","Username":"ada","Secret":"pw"}"# + "\n"
        }
        return Transcript(
            rule, stored: [login(stored)], "get", input: asked,
            output: isFound ? login(asked) : "credentials not found in native keychain\n",
            status: isFound ? 0 : 1)
    }

    private static let dockerNames = [
        "https://index.docker.io/v1/", "index.docker.io", "docker.io",
    ]

    /// Which URLs mean the same.
    static let dockerMatches = ofDocker(
        dockerNames.flatMap { stored in
            dockerNames.map { find("\($0) is \(stored)", stored, $0) }
        } + [
            find("docker's registry is no other's", "docker.io", "example.com", false),
            find("… nor is another's docker's", "example.com", "docker.io", false),
            find("http is not docker's registry", "http://index.docker.io/v1/", "docker.io", false),
            find("a name that ends so is another", "docker.io", "notdocker.io", false),
            find("no scheme is https", "example.com", "https://example.com"),
            find("… the other way round", "https://example.com", "example.com"),
            find(
                "http never answers for https", "http://example.com", "https://example.com", false),
            find("… nor for no scheme", "http://example.com", "example.com", false),
            find("… not on a loopback port", "http://127.0.0.1:5000", "127.0.0.1:5000", false),
            find(
                "https never answers for http", "https://example.com", "http://example.com", false),
            find("… nor does no scheme", "example.com", "http://example.com", false),
            find("… not on a loopback port", "127.0.0.1:5000", "http://127.0.0.1:5000", false),
            find("http answers for itself", "http://example.com", "http://example.com/"),
            find("a host has no letter case", "Example.COM", "https://example.com"),
            find("a slash is no path", "example.com", "https://example.com/"),
            find("the scheme's own port may be named", "example.com:443", "example.com"),
            find("… or not", "https://example.com", "example.com:443"),
            find("another port is another registry", "example.com:5000", "example.com", false),
            find("… the other way round", "example.com", "example.com:5000", false),
            find("a port is no beginning of one", "127.0.0.1:500", "127.0.0.1:5000", false),
            find("a registry answers for its paths", "example.com", "example.com/team/image"),
            find("a path answers for its registry", "example.com/v1/", "https://example.com"),
            find("a path is no other path", "example.com/a", "example.com/b", false),
            find("… nor the beginning of one", "example.com/a", "example.com/a/b", false),
            find(
                "a token is not the login", "https://index.docker.io/v1/access-token", "docker.io",
                false),
            find(
                "the login is no token", "https://index.docker.io/v1/",
                "https://index.docker.io/v1/refresh-token", false),
        ])
}
