internal import KeychainServices

/// The meaning of a URL: equivalent URLs have equal meanings.
struct RegistryMeaning: Equatable {
    /// In lower case; https if the URL has none.
    let scheme: ByteString
    /// In lower case, with all names of docker.io as one.
    let host: ByteString
    /// The scheme's default if the URL has none. Nil without a default.
    let port: UInt16?
    /// Nil for none, or for a mere slash.
    let path: ByteString?

    /// The names of docker's own registry.
    static let dockerNames: [ByteString] = ["index.docker.io", "docker.io"]
    /// The path of its URL, which other registries' URLs lack.
    private static let dockerPaths: [ByteString] = ["/v1/", "/v1"]

    init(_ parts: RegistryURL.Parts) {
        scheme = parts.scheme?.lowercasedASCII ?? "https"
        let defaultPort = RegistryMeaning.defaultPort(scheme)
        port = parts.port ?? defaultPort
        let host = parts.host.lowercasedASCII
        let isDocker = RegistryMeaning.dockerNames.contains(host) && port == defaultPort
        self.host = isDocker ? RegistryMeaning.dockerNames[0] : host
        let isEmpty =
            parts.path == "/"
            || isDocker && parts.path.map(RegistryMeaning.dockerPaths.contains) == true
        path = isEmpty ? nil : parts.path
    }

    private static func defaultPort(_ scheme: ByteString) -> UInt16? {
        scheme == "https" ? 443 : scheme == "http" ? 80 : nil
    }

    /// Whether both are equal apart from their paths.
    func hasSameRegistry(as other: RegistryMeaning) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// Whether docker's device login uses this as a key for a token that accompanies a login. Such items
    /// match only their own key, never the registry.
    var isTokenKey: Bool {
        guard let path else {
            return false
        }
        return path.hasSuffix("/access-token") || path.hasSuffix("/refresh-token")
    }
}

extension RegistryURL {
    /// The meaning of the URL; nil for an unparsed one, which is equivalent only to itself.
    var meaning: RegistryMeaning? { parts.map(RegistryMeaning.init) }

    /// The servers, in any letter case, whose items may match.
    var servers: [ByteString] {
        guard let host = parts?.host.lowercasedASCII else {
            return []
        }
        return RegistryMeaning.dockerNames.contains(host) ? RegistryMeaning.dockerNames : [host]
    }
}

extension ByteString {
    fileprivate func hasSuffix(_ suffix: StaticString) -> Bool {
        bytes.suffix(suffix.utf8CodeUnitCount).elementsEqual(suffix.bytes)
    }
}
