package import KeychainServices
internal import StrictJSON

/// Answers NuGet from a keychain.
///
/// The corresponding document is "NuGet cross platform plugins", version 2.0.0 of the protocol.
package struct NuGetPlugin {
    /// The access group of NuGet's logins.
    package static let accessGroup: ByteString = "nuget"

    private static let version: ByteString = "2.0.0"
    private static let success: ByteString = "Success"

    private let session: any HelperSession

    /// Creates a plugin for the caller of a helper.
    package init(_ session: any HelperSession) {
        self.session = session
    }

    /// Answers until NuGet closes the conversation, or ends.
    ///
    /// - Throws: ``Status/decode`` for a line that is not a message; ``Status/wrongVersion`` if NuGet speaks no
    ///   version that we do; ``Status/io``; ``Status/dataTooLarge``.
    package func run() throws(KeychainError) {
        // Both sides introduce themselves.
        try send("Request", "Handshake", id: "6c616e79-6172-4064-8000-000000000001") {
            writer throws(KeychainError) in
            try writer.member("ProtocolVersion", NuGetPlugin.version)
            try writer.member("MinimumProtocolVersion", NuGetPlugin.version)
        }
        while let line = try session.readLine() {
            let message = try PluginMessage(line)
            switch (message.type, message.method) {
            case ("Request", "Close"), ("Fault", _): return
            case ("Request", _): try answer(message)
            case ("Response", "Handshake") where message.responseCode != NuGetPlugin.success:
                throw NuGetPlugin.wrongVersion
            // Of a request that was answered already, such as `Cancel`.
            default: break
            }
        }
    }

    private static var wrongVersion: KeychainError {
        KeychainError(.wrongVersion, "NuGet does not speak version \(version) of the protocol")
    }

    private func answer(_ request: PluginMessage) throws(KeychainError) {
        switch request.method {
        case "Handshake":
            guard request.speaksVersion2 else {
                try respond(request, code: "Error")
                throw NuGetPlugin.wrongVersion
            }
            try send("Response", request.method, id: request.id) { writer throws(KeychainError) in
                try writer.member("ResponseCode", NuGetPlugin.success)
                try writer.member("ProtocolVersion", NuGetPlugin.version)
            }
        case "GetOperationClaims":
            try send("Response", request.method, id: request.id) { writer throws(KeychainError) in
                // A question about one source is about downloads.
                try writer.member("Claims", request.isOfSource ? [] : ["Authentication"])
            }
        case "GetAuthenticationCredentials": try giveLogin(request)
        // The logins of SetCredentials are those of plain-text files, or ours: they aren't stored. The end of
        // NuGet's process is the end of our input.
        case "Initialize", "SetLogLevel", "SetCredentials", "MonitorNuGetProcessExit":
            try respond(request, code: NuGetPlugin.success)
        default: try respond(request, code: "NotFound")
        }
    }

    private func giveLogin(_ request: PluginMessage) throws(KeychainError) {
        let login: ServerLogin?
        do throws(KeychainError) {
            login = try find(request)
        } catch {
            let hint = error.hint.map { "; \($0)" } ?? ""
            return try respond(
                request, code: "Error", message: "lanyard: \(error.reason)\(hint)")
        }
        switch login {
        case .some(let login):
            guard !request.isRetry else {
                return try respond(
                    request, code: "NotFound",
                    message: "lanyard: the stored login for \(request.uri ?? "") was rejected")
            }
            try send("Response", request.method, id: request.id) { writer throws(KeychainError) in
                try writer.member("Username", login.attributes.account ?? "")
                try writer.member("Password", login.secret)
                try writer.member("AuthenticationTypes", ["Basic"])
                try writer.member("ResponseCode", NuGetPlugin.success)
            }
        case .none: try respond(request, code: "NotFound")
        }
    }

    private func find(_ request: PluginMessage) throws(KeychainError) -> ServerLogin? {
        guard let uri = request.uri, let url = ServerURL(uri), url.scheme != nil else {
            throw KeychainError(.param, "the request has no URL")
        }
        // Of NuGet's 5 seconds: there may be two keychains in the search list.
        let keychain = try session.keychain(within: 2000)
        let login = try keychain.serverLogin(for: url, in: NuGetPlugin.accessGroup)
        switch login {
        case .some(let login):
            guard login.secret.withBytes({ $0.isUTF8 }) else {
                throw KeychainError(.decode, "the stored password is not text")
            }
        case .none: break
        }
        return login
    }

    private func respond(
        _ request: PluginMessage, code: ByteString, message: String? = nil
    ) throws(KeychainError) {
        try send("Response", request.method, id: request.id) { writer throws(KeychainError) in
            if let message {
                try writer.member("Message", ByteString(message))
            }
            try writer.member("ResponseCode", code)
        }
    }

    private func send(
        _ type: ByteString, _ method: ByteString, id: ByteString,
        _ payload: (inout JSONWriter) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try session.write(PluginMessage.write(id: id, type: type, method: method, payload: payload))
    }
}

extension PluginMessage {
    /// Whether the sender of a handshake speaks version 2 of the protocol.
    fileprivate var speaksVersion2: Bool {
        guard let version = version?.major, let oldest = oldestVersion?.major else {
            return false
        }
        return oldest <= 2 && 2 <= version
    }
}

extension ByteString {
    /// The first number of a version.
    fileprivate var major: Int? { Int(description.prefix { $0 != "." }) }
}
