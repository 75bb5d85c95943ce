internal import KeychainServices

/// The keys of a request that mean something to this helper. All others are ignored, so that the
/// protocol can grow.
enum RequestKey: CaseIterable {
    case `protocol`, host, path, username
    case password, passwordExpiry, refreshToken, authtype, credential, ephemeral
    case capability, state

    /// The key as it stands in a request.
    var name: StaticString {
        switch self {
        case .protocol: "protocol"
        case .host: "host"
        case .path: "path"
        case .username: "username"
        case .password: "password"
        case .passwordExpiry: "password_expiry_utc"
        case .refreshToken: "oauth_refresh_token"
        case .authtype: "authtype"
        case .credential: "credential"
        case .ephemeral: "ephemeral"
        case .capability: "capability[]"
        case .state: "state[]"
        }
    }

    /// The key of these bytes, nil for one that means nothing here.
    init?(_ bytes: Span<UInt8>) {
        for key in RequestKey.allCases where bytes.equals(key.name) {
            self = key
            return
        }
        return nil
    }
}
