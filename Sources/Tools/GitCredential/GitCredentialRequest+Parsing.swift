internal import KeychainServices

extension GitCredentialRequest {
    mutating func read(_ bytes: Span<UInt8>) throws(KeychainError) {
        var start = 0
        var number = 1
        while start < bytes.count {
            let end = bytes.firstIndex(of: Byte.lineFeed, from: start) ?? bytes.count
            guard end > start else {
                return
            }
            try read(line: bytes.extracting(start..<end), number: number)
            start = end + 1
            number += 1
        }
    }

    private mutating func read(line: Span<UInt8>, number: Int) throws(KeychainError) {
        func refuse(_ fault: String) -> KeychainError {
            KeychainError(.param, "line \(number) of the request \(fault)")
        }
        guard !line.contains(Byte.carriageReturn) else {
            throw refuse("contains a carriage return")
        }
        guard !line.contains(Byte.null) else {
            throw refuse("contains a NUL")
        }
        guard let equalsSign = line.firstIndex(of: Byte.equalsSign) else {
            throw refuse("has no '='")
        }
        guard equalsSign > 0 else {
            throw refuse("has no key before its '='")
        }
        guard let key = RequestKey(line.extracting(..<equalsSign)) else {
            return
        }
        // git sends each key once; given two, another reader may choose the other one.
        guard !isPresent(key) else {
            throw refuse("repeats the key '\(key.name)'")
        }
        set(key, line.extracting((equalsSign + 1)...))
    }

    /// Whether a key that identifies the login has a value.
    private func isPresent(_ key: RequestKey) -> Bool {
        switch key {
        case .protocol: `protocol` != nil
        case .host: host != nil
        case .path: path != nil
        case .username: username != nil
        default: false
        }
    }

    private mutating func set(_ key: RequestKey, _ value: Span<UInt8>) {
        switch key {
        case .protocol: `protocol` = ByteString(copying: value)
        case .host: host = ByteString(copying: value)
        case .path: path = ByteString(copying: value)
        case .username: username = ByteString(copying: value)
        case .password: login.password = Secret(copying: value)
        case .passwordExpiry: login.expiry = Timestamp(expiry: value)
        case .refreshToken: login.refreshToken = Secret(copying: value)
        case .authtype: login.authtype = ByteString(copying: value)
        case .credential: login.credential = Secret(copying: value)
        case .ephemeral: isEphemeral = value.isTrue
        case .capability: append(capability: value)
        case .state: append(state: value)
        }
    }

    private mutating func append(capability value: Span<UInt8>) {
        if value.isEmpty {
            capabilities = []
        } else {
            capabilities.formUnion(Capabilities(name: value))
        }
    }

    private mutating func append(state value: Span<UInt8>) {
        if value.isEmpty {
            states = []
        } else if value.starts(with: StateToken.prefix) {
            states.append(ByteString(copying: value))
        }
    }
}

extension Span where Element == UInt8 {
    /// Whether this is one of git's words for true.
    fileprivate var isTrue: Bool {
        equals("1") || equalsIgnoringCase("true") || equalsIgnoringCase("yes")
            || equalsIgnoringCase("on")
    }
}
