internal import KeychainServices
internal import StrictJSON

/// A login that docker wants to store: `{"ServerURL":…,"Username":…,"Secret":…}`.
///
/// The corresponding type of docker-credential-helpers is `Credentials`.
struct StoreRequest: ~Copyable {
    let url: RegistryURL
    let username: ByteString
    let secret: Secret

    /// Reads a request as docker-credential-helpers does: member names ignore letter case, other members
    /// are ignored, `null` counts as absent, a missing secret as empty.
    ///
    /// - Throws: ``Status/decode`` for invalid JSON and members of other types, ``Status/param`` without a
    ///   server or a user, ``Status/dataTooLarge``.
    init(parsing request: borrowing Secret) throws(KeychainError) {
        let members = try Members(parsing: request)
        let serverURL = members.serverURL ?? ""
        let username = members.username ?? ""
        try self.init(
            serverURL: serverURL.bytes.span, username: username, secret: members.takeSecret())
    }

    /// Creates a request from the parts of a login.
    ///
    /// - Throws: ``Status/param`` without a server or a user, ``Status/dataTooLarge``.
    init(
        serverURL: Span<UInt8>, username: ByteString, secret: consuming Secret
    ) throws(KeychainError) {
        let url = try RegistryURL(trimming: serverURL)
        guard !username.isEmpty else {
            throw .noUsername
        }
        guard username.bytes.count <= StoreRequest.usernameLimit else {
            throw KeychainError(
                .dataTooLarge,
                "the username is longer than \(StoreRequest.usernameLimit) bytes")
        }
        guard secret.count <= DockerCredentialHelper.secretLimit else {
            throw KeychainError(.dataTooLarge, "the password is longer than 1 MiB")
        }
        self.url = url
        self.username = username
        self.secret = secret
    }

    /// The item for this login.
    var newItem: ItemAttributes { url.newItem(account: username) }

    /// Takes only the secret.
    consuming func takeSecret() -> Secret { secret }

    /// The limit of any text of an item.
    private static let usernameLimit = 65_535

    private struct Members: ~Copyable {
        var serverURL: ByteString?
        var username: ByteString?
        var secret: Secret?

        init(parsing request: borrowing Secret) throws(KeychainError) {
            var members = Members()
            try JSONReader.readObject(
                request, limit: DockerCredentialHelper.requestLimit, names: .ignoringCase
            ) { name, reader throws(KeychainError) in
                try members.read(name, &reader)
            }
            self = members
        }

        private init() {}

        mutating func read(
            _ name: ByteString, _ reader: inout JSONReader
        ) throws(KeychainError) {
            guard try !reader.readNull() else {
                return
            }
            switch name {
            case "serverurl": serverURL = try reader.readText()
            case "username": username = try reader.readText()
            case "secret": secret = try reader.readSecret()
            default: break
            }
        }

        consuming func takeSecret() -> Secret { secret ?? Secret("") }
    }
}
