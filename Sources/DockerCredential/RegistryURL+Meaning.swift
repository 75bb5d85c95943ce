internal import KeychainServices

/// What a URL means, whatever way it is written: two URLs of one meaning have equal ones.
struct RegistryMeaning: Equatable {
    /// In small letters; https where the URL has none.
    let scheme: ByteString
    /// In small letters, all of docker.io's names as one.
    let host: ByteString
    /// The scheme's own where the URL has none. Nil if there is no such port either.
    let port: UInt16?
    /// Nil if there is none, and also if it is nothing but a slash.
    let path: ByteString?

    /// The names of docker's own registry.
    static let dockerNames: [ByteString] = ["index.docker.io", "docker.io"]
    /// What its URL has as a path, and other registries' do not.
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

    /// Whether both are the same, their paths set aside.
    func hasSameRegistry(as other: RegistryMeaning) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// Whether this is a key under which docker's device login keeps a token beside a login. Such
    /// items stand for themselves, never for the registry.
    var isTokenKey: Bool {
        guard let path else {
            return false
        }
        return path.hasSuffix("/access-token") || path.hasSuffix("/refresh-token")
    }
}

extension RegistryURL {
    /// What the URL means, nil for one that stays whole: it means nothing but itself.
    var meaning: RegistryMeaning? { parts.map(RegistryMeaning.init) }

    /// The servers, letter case set aside, among whose items those are that may answer.
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
