internal import KeychainServices

/// The keys of a request that this helper uses. It ignores others, which lets the protocol grow.
enum RequestKey: CaseIterable {
    case `protocol`, host, path, username
    case password, passwordExpiry, refreshToken, authtype, credential, ephemeral
    case capability, state

    /// The key's text in a request.
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

    /// Finds the key with these bytes, nil for an unknown one.
    init?(_ bytes: Span<UInt8>) {
        for key in RequestKey.allCases where bytes.equals(key.name) {
            self = key
            return
        }
        return nil
    }
}
