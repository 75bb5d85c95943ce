internal import ArgumentParser
internal import LanyardCertificates
internal import KeychainServices
internal import ToolHelpers
internal import ToolSetup

/// `lanyard setup kubectl`.
struct SetupKubectlCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kubectl", abstract: "Set kubectl up, in its kubeconfig.",
        discussion:
            "Tokens and client certificates of these users move from the kubeconfig into the keychain."
    ).examples(
        "lanyard setup kubectl --dry-run",
        "lanyard setup kubectl ada",
        "lanyard setup kubectl --undo")

    @OptionGroup var options: SetupOptions
    @Argument(
        help: ArgumentHelp(
            "Users of the kubeconfig; without one, the user of the current context.",
            valueName: "user"))
    var users: [String] = []

    func run() throws {
        guard !options.isUndo else {
            return try options.undo(.kubectl)
        }
        let environment = try SetupEnvironment()
        let kubectl = KubectlSetup(users, environment)
        try options.apply(ToolSetup(.kubectl, environment, names: users)) {
            plan throws(KeychainError) in
            let logins = try kubectl.plainLogins()
            guard !logins.isEmpty else {
                return
            }
            // All of them are in the keychain before the file changes.
            let keychain = try OpenKeychains(nil).keychain
            for login in logins {
                try SetupKubectlCommand.store(login, in: keychain)
            }
            try kubectl.keepOriginal(for: plan, in: keychain)
        }
    }

    private static func store(
        _ login: KubectlSetup.PlainLogin, in keychain: Keychain
    ) throws(KeychainError) {
        if let token = login.token {
            try store(token.secret, of: login, in: keychain)
        } else if let (certificate, key) = login.certificate {
            try store([certificate, key], of: login, in: keychain)
        }
    }

    private static func store(
        _ token: borrowing Secret, of login: KubectlSetup.PlainLogin, in keychain: Keychain
    ) throws(KeychainError) {
        let format = ToolFormat(name: "kubectl")
        try format?.check(token)
        let attributes = login.tokenAttributes
        let isNew = try KeychainError.ignoring(.duplicateItem) { () throws(KeychainError) in
            try keychain.add(.internetPassword, attributes, secret: token)
        }
        if !isNew {
            try keychain.update(
                Query(identityOf: attributes, .internetPassword), ItemAttributes(),
                secret: token.copy())
        }
    }

    /// - Parameter files: PEM in Base64.
    private static func store(
        _ files: [FileBytes], of login: KubectlSetup.PlainLogin, in keychain: Keychain
    ) throws(KeychainError) {
        var pem = SecretBuilder(capacity: 0)
        for file in files {
            pem.append(try login.pem(file))
            pem.append("\n")
        }
        let contents = try CertificatesAndKeys(pem.finish()) { () throws(KeychainError) in
            throw KeychainError(.decode, "the private key of '\(login.user)' has a passphrase")
        }
        var attributes = ItemAttributes()
        attributes.label = ByteString(login.user)
        attributes.accessGroup = "kubectl"
        for named in contents.privateKeys {
            try KeychainError.ignoring(.duplicateItem) { () throws(KeychainError) in
                try keychain.add(named.key, attributes)
            }
        }
        for named in contents.certificates {
            let certificate = named.certificate
            var attributes = certificate.attributes.merging(attributes)
            attributes.accessible = .always
            if certificate.isAuthority, contents.certificates.count > 1 {
                attributes.label = ByteString(certificate.subjectSummary)
            }
            let der = certificate.der
            try KeychainError.ignoring(.duplicateItem) { () throws(KeychainError) in
                try keychain.add(.certificate, attributes, secret: Secret(copying: der.span))
            }
        }
    }
}
