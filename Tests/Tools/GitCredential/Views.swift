import KeychainServices

@testable import GitCredential

/// A login that can be copied, as expectations need it.
struct LoginView: Equatable {
    var password: ByteString?
    var expiry: Int64?
    var refreshToken: ByteString?
    var authtype: ByteString?
    var credential: ByteString?
}

extension LoginView {
    init(_ login: borrowing Login) {
        password = login.password.map { ByteString($0.bytes) }
        expiry = login.expiry?.secondsSinceEpoch
        refreshToken = login.refreshToken.map { ByteString($0.bytes) }
        authtype = login.authtype
        credential = login.credential.map { ByteString($0.bytes) }
    }

    var login: Login {
        Login(
            password: password.map { Secret(copying: $0.bytes.span) },
            expiry: expiry.map { Timestamp(secondsSinceEpoch: $0) },
            refreshToken: refreshToken.map { Secret(copying: $0.bytes.span) },
            authtype: authtype,
            credential: credential.map { Secret(copying: $0.bytes.span) })
    }
}

/// A request that can be copied.
struct RequestView {
    let `protocol`: ByteString?
    let host: ByteString?
    let path: ByteString?
    let username: ByteString?
    let login: LoginView
    let isEphemeral: Bool
    let capabilities: Capabilities
    let states: [ByteString]
    let isBlank: Bool
    let wanted: ItemAttributes
    let newItem: ItemAttributes

    init(parsing bytes: [UInt8]) throws(KeychainError) {
        let request = try GitCredentialRequest(parsing: Secret(copying: bytes.span))
        `protocol` = request.protocol
        host = request.host
        path = request.path
        username = request.username
        login = LoginView(request.login)
        isEphemeral = request.isEphemeral
        capabilities = request.capabilities
        states = request.states
        isBlank =
            request.protocol == nil && request.host == nil && request.path == nil
            && request.username == nil
        wanted = request.wanted
        newItem = request.newItem
    }
}

func parse(_ text: String) throws(KeychainError) -> RequestView {
    try RequestView(parsing: Array(text.utf8))
}
