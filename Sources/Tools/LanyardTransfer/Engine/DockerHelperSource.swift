internal import DockerCredential
internal import LanyardPrompting
package import KeychainServices
internal import StrictJSON

/// The logins of another credential helper of docker.
package struct DockerHelperSource: ImportSource {
    private let path: String
    private let name: String
    private let timeLimit: UInt32
    private let urls: [ByteString]

    /// Limits the bytes of the list: 16 MiB.
    private static let listLimit = 16 << 20
    /// Limits the bytes of a login: 7 MiB, the limit of our own helper.
    private static let loginLimit = DockerCredentialHelper.requestLimit

    /// Asks a helper for the list of its logins.
    ///
    /// - Parameters:
    ///   - helper: `NAME` of `docker-credential-NAME`, as in docker's configuration.
    ///   - timeLimit: How many seconds an answer may take.
    /// - Throws: ``Status/notAvailable`` if it is missing, fails or does not answer in time,
    ///   ``Status/decode`` for an answer that is not a list.
    package init(_ helper: String, timeLimit: UInt32) throws(KeychainError) {
        let program = "docker-credential-\(helper)"
        guard let path = try programPath(program) else {
            throw KeychainError(.notAvailable, "program '\(program)' is not on the PATH")
        }
        self.path = path
        name = "the helper '\(helper)'"
        self.timeLimit = timeLimit
        let answer = try AskedProgram(name, path: path, ["list"], timeLimit: timeLimit)
            .answer(limit: DockerHelperSource.listLimit)
        guard answer.status == 0 else {
            throw KeychainError(
                .notAvailable, "\(name) can't list its logins: status \(answer.status)")
        }
        urls = try DockerHelperSource.urls(in: answer.text)
    }

    private static func urls(in list: borrowing Secret) throws(KeychainError) -> [ByteString] {
        try list.withBytes { text throws(KeychainError) in
            try JSONReader.read(text, limit: listLimit) { reader throws(KeychainError) in
                var urls: [ByteString] = []
                // Some helpers answer `null` for an empty list.
                guard try !reader.readNull() else {
                    return urls
                }
                try reader.readObject { name, _ throws(KeychainError) in
                    urls.append(name)
                }
                return urls
            }
        }
    }

    /// The number of logins.
    package var count: Int { urls.count }

    /// Passes each login to a closure.
    ///
    /// - Throws: ``Status/notAvailable`` if the helper can't be run or does not answer in time, what the
    ///   closure throws.
    package func forEach(_ body: ImportRecord.Body) throws(KeychainError) {
        for url in urls {
            let content: ImportRecord.Content
            do throws(KeychainError) {
                content = try login(url)
            } catch  where error.isOfOneItem {
                content = .failed(error)
            }
            try body(ImportRecord(place: "'\(url)'", range: nil, content: content))
        }
    }

    private func login(_ url: ByteString) throws(KeychainError) -> ImportRecord.Content {
        let answer = try AskedProgram(name, path: path, ["get"], timeLimit: timeLimit)
            .answer(to: url.bytes.span, limit: DockerHelperSource.loginLimit)
        guard answer.status == 0 else {
            return .failed(
                KeychainError(
                    .notAvailable, "\(name) did not return it: status \(answer.status)"))
        }
        return try DockerHelperSource.content(url, answer.text)
    }

    /// Returns the item for the login in an answer `{"ServerURL":…,"Username":…,"Secret":…}`, in the form of Lanyard's
    /// docker helper.
    private static func content(
        _ url: ByteString, _ answer: borrowing Secret
    ) throws(KeychainError) -> ImportRecord.Content {
        var username: ByteString = ""
        var secret = Secret("")
        try JSONReader.readObject(answer, limit: loginLimit, names: .ignoringCase) {
            name, reader throws(KeychainError) in
            switch name {
            case "username": username = try reader.readText()
            case "secret": secret = try reader.readSecret()
            default: break
            }
        }
        let item = try DockerCredentialItem(serverURL: url, username: username, secret: secret)
        return .item(item.newItem())
    }
}
