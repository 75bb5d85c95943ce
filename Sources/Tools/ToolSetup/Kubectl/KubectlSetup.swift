internal import LanyardCertificates
package import KeychainServices
internal import ToolCatalog

/// Sets kubectl up: kubectl-credential-lanyard becomes the login of users in the first file of KUBECONFIG, else in
/// `~/.kube/config`, and kuberc's list of permitted programs gets it.
package struct KubectlSetup {
    /// The login of a user that is in the file in plain text.
    package struct PlainLogin {
        /// The user's name in the file.
        package let user: String
        /// The address of the cluster.
        package let server: String
        /// A token; nil for a certificate.
        package let token: FileBytes?
        /// A certificate and its private key, PEM in Base64; nil for a token.
        package let certificate: (certificate: FileBytes, key: FileBytes)?

        /// Returns the PEM of a value in Base64.
        ///
        /// - Throws: ``Status/decode``.
        package func pem(_ value: FileBytes) throws(KeychainError) -> Secret {
            try KubectlSetup.pem(value, of: user)
        }
    }

    private let names: [String]
    private let environment: SetupEnvironment

    /// - Parameter users: Users of the file; none for the one of the current context.
    package init(_ users: [String], _ environment: SetupEnvironment) {
        names = users
        self.environment = environment
    }

    /// The program's name.
    static let helper = "kubectl-credential-lanyard"

    /// The file's path.
    ///
    /// - Throws: ``Status/param``.
    package func path() throws(KeychainError) -> String {
        if let list = environment.value("KUBECONFIG"),
            let first = list.split(separator: ":").first.map({ String($0) })
        {
            guard first.hasPrefix("/") else {
                throw KeychainError(
                    .param, "KUBECONFIG is not an absolute path",
                    hint: "set KUBECONFIG to a path that begins with '/'")
            }
            return first
        }
        return "\(try environment.home())/.kube/config"
    }

    /// Returns the logins that the setup takes out of the file: store them first.
    ///
    /// - Throws: As ``propose(_:)``.
    package func plainLogins() throws(KeychainError) -> [PlainLogin] {
        let path = try path()
        let file = try Self.kubeconfig(try TargetFile(path).bytes, path)
        var logins: [PlainLogin] = []
        for user in try users(file, path) {
            if let login = try Self.plainLogin(of: user, file) {
                logins.append(login)
            }
        }
        return logins
    }

    private static func plainLogin(
        of user: String, _ file: Kubeconfig, isForReading: Bool = false
    ) throws(KeychainError) -> PlainLogin? {
        switch file.login(of: user, isForReading: isForReading) {
        case .token(let token):
            PlainLogin(
                user: user, server: try server(of: user, file), token: token, certificate: nil)
        case .certificate(let certificate, let key):
            PlainLogin(
                user: user, server: try server(of: user, file), token: nil,
                certificate: (certificate, key))
        default: nil
        }
    }

    /// All keys of a user's login but that of a program.
    package static let loginKeys = Kubeconfig.loginKeys

    /// Passes the logins of all users of a file to a closure, in their order, with the line where the user begins; instead
    /// of a password, of one without a single server and of one besides another login, the error.
    ///
    /// - Throws: ``Status/decode`` for a file of another form than kubectl's; what the closure throws.
    package static func forEachPlainLogin(
        in text: Span<UInt8>,
        _ body: (Result<PlainLogin, KeychainError>, _ line: Int) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let file = try Kubeconfig(FileBytes(Secret(copying: text)), isForReading: true)
        for (name, line) in file.places {
            let login: Result<PlainLogin, KeychainError>
            do throws(KeychainError) {
                guard let user = name else {
                    throw KeychainError(
                        .param, "the user's name is not of the form that kubectl writes")
                }
                switch file.login(of: user, isForReading: true) {
                case .other("username"), .other("password"):
                    throw KeychainError(.param, "it is a password, which can't be moved")
                case .other(let key) where !Kubeconfig.pathKeys.contains(key):
                    throw KeychainError(
                        .param, "the user '\(user)' has a \(key), which can't be moved")
                case nil:
                    throw KeychainError(.param, "another user is called '\(user)', too")
                case .other, .program:
                    if let key = file.unusedSecret(of: user) {
                        throw KeychainError(
                            .param, "the user '\(user)' has a \(key) and another login")
                    }
                default: break
                }
                guard let found = try plainLogin(of: user, file, isForReading: true) else {
                    continue
                }
                login = .success(found)
            } catch {
                login = .failure(error)
            }
            try body(login, line + 1)
        }
    }

    /// The users with a login in plain text; none for a file that can't be read or changed.
    package var plainUsers: [String] {
        guard let path = try? path(), let bytes = (try? TargetFile(path))?.bytes else {
            return []
        }
        return (try? Kubeconfig(bytes))?.plainUsers ?? []
    }

    /// Stores the file as it is before the plan, for an undo. Only its plain logins make that necessary.
    ///
    /// - Throws: What the keychain throws.
    package func keepOriginal(
        for plan: SetupPlan, in keychain: Keychain
    ) throws(KeychainError) {
        let path = try path()
        guard let change = plan.changes.first(where: { $0.path == path }), let rest = change.after,
            let current = change.before
        else {
            return
        }
        let files = MovedFiles(in: keychain, environment)
        // What an earlier setup kept has the logins that this one no longer finds.
        var earlier: MovedFile?
        for file in try files.all() where file.path == path && earlier == nil {
            earlier = try file.state() == .unchanged ? file : nil
        }
        let original =
            if let earlier { try files.original(earlier) } else {
                try SetupCopies(environment).original(of: path, with: current.secret)
            }
        try files.keep(path, .kubeconfig, original: original, rest: rest.secret)
        if let earlier {
            try files.forget(earlier)
        }
    }

    /// Adds the changes.
    ///
    /// - Throws: ``Status/itemNotFound`` without the user; ``Status/param`` for a user with another program or with a
    ///   login that can't be moved; ``Status/decode`` for a file of another form than kubectl's.
    func propose(_ proposal: inout Proposal) throws(KeychainError) {
        let program = try environment.helper(of: KubectlTool.self)
        let path = try path()
        let file = try TargetFile(path)
        let config = try Self.kubeconfig(file.bytes, path)
        var bytes = file.bytes ?? ""
        var original = bytes
        var lines: [String] = []
        var changed: [String] = []
        for user in try users(config, path) {
            guard let login = try movable(user, config, program) else {
                continue
            }
            let exec = Self.exec(program, try arguments(user, login, config))
            bytes = try Kubeconfig(bytes).replacingLogin(of: user, with: exec)
            // The copy for an undo has no secret: that is in the keychain.
            if login != .none {
                original = try Kubeconfig(original).removingLogin(of: user)
                lines.append("-the login of '\(user)', which moves to the keychain")
            }
            lines += exec.map { "+\($0)" }
            changed.append(user)
        }
        if !changed.isEmpty {
            let earlier = proposal.record.entry(path)
            let base =
                try earlier.map { entry throws(KeychainError) in
                    try entry.undone(
                        original, original: try proposal.records.original(entry, .kubectl))
                } ?? original
            if case .kubeconfig(let users) = earlier?.insertion {
                changed = users.filter { !changed.contains($0) } + changed
            }
            try proposal.change(
                file, base: base, to: bytes, .kubeconfig(users: changed),
                summary: ["kubectl gets these logins from lanyard"], lines: lines, .secret)
        }
        try proposeKuberc(&proposal, program)
        if !environment.finds("kubectl") {
            proposal.isToolMissing = true
            proposal.notes.append("kubectl is not on the PATH")
        }
    }

    private static func kubeconfig(
        _ bytes: FileBytes?, _ path: String
    ) throws(KeychainError) -> Kubeconfig {
        guard let bytes else {
            throw KeychainError(
                .itemNotFound, "'\(path)' is missing", hint: "kubectl config set-cluster --help")
        }
        do throws(KeychainError) {
            return try Kubeconfig(bytes)
        } catch {
            throw KeychainError(
                .decode, "can't change '\(path)': \(error.reason)",
                hint: error.hint ?? "kubectl config set-credentials USER --exec-command=\(helper)"
                    + " --exec-arg=https://SERVER --exec-arg=USER"
                    + " --exec-api-version=client.authentication.k8s.io/v1"
                    + " --exec-interactive-mode=IfAvailable")
        }
    }

    private func users(
        _ config: Kubeconfig, _ path: String
    ) throws(KeychainError) -> [String] {
        guard names.isEmpty else {
            var unique: [String] = []
            for name in names where !unique.contains(name) {
                unique.append(name)
            }
            return unique
        }
        guard let user = config.currentUser else {
            throw KeychainError(
                .param, "'\(path)' has no current context with a user",
                hint: "lanyard setup kubectl USER")
        }
        return [user]
    }

    /// Returns the login to replace, nil if it is Lanyard's already.
    private func movable(
        _ user: String, _ config: Kubeconfig, _ program: String
    ) throws(KeychainError) -> Kubeconfig.Login? {
        guard !user.isEmpty, !user.hasPrefix("-"), !user.contains(where: { "\"\\".contains($0) })
        else {
            throw KeychainError(.param, "invalid user '\(user)'")
        }
        guard let login = config.login(of: user) else {
            throw KeychainError(
                .itemNotFound, "the kubeconfig has no user '\(user)', or two",
                hint: "kubectl config get-users")
        }
        switch login {
        case .program(let other) where other.lastPathComponent == Self.helper: return nil
        case .program(let other):
            throw KeychainError(
                .param, "the user '\(user)' names something other than lanyard: \(other)",
                hint: "remove that, or keep it and don't set '\(user)' up")
        case .other(let key):
            throw KeychainError(
                .param, "the user '\(user)' has a \(key), which can't be moved",
                hint: "kubectl config set-credentials --help")
        case .none, .token, .certificate: return login
        }
    }

    private static func server(
        of user: String, _ config: Kubeconfig
    ) throws(KeychainError) -> String {
        let servers = config.servers(of: user)
        guard let server = servers.first, servers.count == 1,
            let url = ServerURL(ByteString(server)),
            url.scheme == "https"
        else {
            throw KeychainError(
                .param, "the user '\(user)' needs contexts with one cluster with https",
                hint: "kubectl config set-context --help")
        }
        return server
    }

    private func arguments(
        _ user: String, _ login: Kubeconfig.Login, _ config: Kubeconfig
    ) throws(KeychainError) -> [String] {
        if case .certificate(let certificate, _) = login {
            return [try Self.fingerprint(certificate, of: user)]
        }
        return [try Self.server(of: user, config), user]
    }

    /// Returns the fingerprint of the first of a user's certificates, which is its own. Certificates of one name stay
    /// in the keychain when a cluster renews its, and many clusters call their user the same.
    private static func fingerprint(
        _ certificate: FileBytes, of user: String
    ) throws(KeychainError) -> String {
        let pem = try pem(certificate, of: user)
        let certificates = try pem.withBytes { text throws(KeychainError) in
            try Certificate.certificates(inPEM: text)
        }
        guard let first = certificates.first else {
            throw KeychainError(.decode, "the certificate of '\(user)' is not PEM")
        }
        return first.fingerprint
    }

    private static func pem(
        _ value: FileBytes, of user: String
    ) throws(KeychainError) -> Secret {
        guard let pem = value.secret.withBytes({ Base64.decode($0) }) else {
            throw KeychainError(.decode, "the certificate of '\(user)' is not Base64")
        }
        return pem
    }

    /// Returns the lines of a program in a kubeconfig.
    private static func exec(_ program: String, _ arguments: [String]) -> [String] {
        ["exec:", "  apiVersion: client.authentication.k8s.io/v1", "  args:"]
            + arguments.map { "  - \"\($0)\"" }
            + [
                "  command: \(program)", "  interactiveMode: IfAvailable",
                "  provideClusterInfo: false",
            ]
    }

    /// Adds the program to kuberc's list, if there is one.
    ///
    /// The corresponding type is Preference of kubectl.config.k8s.io/v1beta1.
    private func proposeKuberc(
        _ proposal: inout Proposal, _ program: String
    ) throws(KeychainError) {
        let setting = environment.value("KUBERC")
        guard setting != "off" else {
            return
        }
        let usual = "\(try environment.home())/.kube/kuberc"
        let path = try environment.path("KUBERC") ?? usual
        let file = try TargetFile(path)
        guard let bytes = try proposal.base(file) else {
            return
        }
        let kuberc: Kuberc
        do throws(KeychainError) {
            kuberc = try Kuberc(bytes)
        } catch {
            throw KeychainError(
                .decode, "can't change '\(path)': \(error.reason)",
                hint: "add '- command: \(program)' to credentialPluginAllowlist there")
        }
        guard let line = kuberc.line(for: program) else {
            return
        }
        let after = kuberc.adding(line)
        guard after != file.bytes else {
            return
        }
        let added = [SettingsSection(header: nil, lines: [line.text])]
        try proposal.change(
            file, base: bytes, to: after, .settings(added),
            summary: ["kubectl may start lanyard's program"], lines: ["+\(line.text)"], .secret)
    }
}
