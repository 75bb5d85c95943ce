import Foundation
import KeychainServices
import Testing

@testable import ToolSetup

/// kubectl's kubeconfig and kuberc, changed line by line.
@Suite struct KubectlSetupTests {
    private static let clusters = """
        apiVersion: v1
        clusters:
        - cluster:
            certificate-authority-data: QUJD
            server: https://a.example:6443
          name: one
        - cluster: {server: "https://b.example"}
          name: two
        contexts:
        - context:
            cluster: one
            namespace: notes
            user: ada
          name: ada@one
        - {context: {cluster: two, user: eve}, name: eve@two}
        current-context: ada@one
        kind: Config
        preferences: {}

        """

    private static let exec = """
            exec:
              apiVersion: client.authentication.k8s.io/v1
              args:
              - "https://a.example:6443"
              - "ada"
              command: HELPER
              interactiveMode: IfAvailable
              provideClusterInfo: false

        """

    /// Of one subject, with the same issuer: what a cluster gives its user at first, and a year later.
    private static let certificates = [
        (
            der: """
            MIIBLjCB4aADAgECAhQPhUpCp1GSau84HJ7Rx4p9N75DPjAFBgMrZXAwDDEKMAgG
            A1UEAwwBYTAgFw0yNjExMjcxMDQ0NTFaGA8yMDgxMDgzMDEwNDQ1MVowDDEKMAgG
            A1UEAwwBYTAqMAUGAytlcAMhAH1A6NbsRSop/eewOHBKyK2Q0c7nRatbryHvxVJZ
            e/hQo1MwUTAdBgNVHQ4EFgQUT2uHxHsbnFvb7wpD6WtnC8MpLBUwHwYDVR0jBBgw
            FoAUT2uHxHsbnFvb7wpD6WtnC8MpLBUwDwYDVR0TAQH/BAUwAwEB/zAFBgMrZXAD
            QQAvvpOFIMc5ywUGARHv5EQkPxdy/Sh/qOA7Tm6j84NI5gOIHNIqt3u1zs3tCnjk
            RS/Q18eVgG/erIo76y5xZekB
            """,
            fingerprint: "e59035ca7a253ff2b90b47358bbafe27dbc182815a5048915d33ece540729f9c"
        ),
        (
            der: """
            MIIBLjCB4aADAgECAhRAZdBEE++Oa3mA0XOLAi3iN7rydTAFBgMrZXAwDDEKMAgG
            A1UEAwwBYTAgFw0yNjExMjcxMDQ0NTFaGA8yMDgxMDgzMDEwNDQ1MVowDDEKMAgG
            A1UEAwwBYTAqMAUGAytlcAMhAG5TLGYN2SCXhDOkNh4k72bfhefZYil2/gGtBJqg
            9RYYo1MwUTAdBgNVHQ4EFgQUPNurHAhqdcP2OUTFiteGzcuISX0wHwYDVR0jBBgw
            FoAUPNurHAhqdcP2OUTFiteGzcuISX0wDwYDVR0TAQH/BAUwAwEB/zAFBgMrZXAD
            QQCVlaaD4kJRbqpMD6QB/AzKJeVMxD6/vsCtuLqXtii2z2BdV9aOGp34fkQl4kBw
            QyRUEPP0qSWVma2ylvqrd08M
            """,
            fingerprint: "0def2f0be5abf056ae5e088d61d800689c4c41106e188ff04d3bd71042ffe4ae"
        ),
    ]

    /// Returns a value of a kubeconfig: PEM in Base64.
    private static func pem(_ der: String) -> String {
        let text = "-----BEGIN CERTIFICATE-----\n\(der)\n-----END CERTIFICATE-----\n"
        return Data(text.utf8).base64EncodedString()
    }

    private func home() throws -> (SetupHome, helper: String) {
        let home = try SetupHome()
        try home.script("kubectl-credential-lanyard", "exit 1")
        return (home, "\(home.folder)/bin/kubectl-credential-lanyard")
    }

    private func exec(_ helper: String) -> String {
        Self.exec.replacingOccurrences(of: "HELPER", with: helper)
    }

    /// The part with the users before, in the middle of the file; what remains after an undo without the keychain.
    @Test(
        "a login becomes our program, undo puts the rest back",
        arguments: [
            (
                "users:\n- name: ada\n  user:\n    token: bilby\n",
                "users:\n- name: ada\n  user:\nEXEC", "users:\n- name: ada\n  user: {}\n"
            ),
            (
                "users:\n- name: ada\n  user: {}\n- name: bob\n  user:\n    token: other\n",
                "users:\n- name: ada\n  user:\nEXEC- name: bob\n  user:\n    token: other\n",
                "users:\n- name: ada\n  user: {}\n- name: bob\n  user:\n    token: other\n"
            ),
            (
                """
                users:
                  # mine
                  - name: "ada"
                    user:
                      as: root
                      client-certificate-data: CERTIFICATE
                      client-key-data: bilby

                """,
                """
                users:
                  # mine
                  - name: "ada"
                    user:
                      as: root
                      exec:
                        apiVersion: client.authentication.k8s.io/v1
                        args:
                        - "FINGERPRINT"
                        command: HELPER
                        interactiveMode: IfAvailable
                        provideClusterInfo: false

                """,
                "users:\n  # mine\n  - name: \"ada\"\n    user:\n      as: root\n"
            ),
            (
                "users:\n- user:\n    token: bilby\n  name: ada",
                "users:\n- user:\nEXEC  name: ada",
                "users:\n- user: {}\n  name: ada"
            ),
        ])
    func kubeconfig(before: String, after: String, rest: String) throws {
        let (home, helper) = try home()
        // The value in braces makes no difference, as it is of no user that counts.
        let file = Self.clusters.replacingOccurrences(of: "- {context", with: "#- {context")
        let certificate = Self.certificates[0]
        let before = before.replacingOccurrences(
            of: "CERTIFICATE", with: Self.pem(certificate.der))
        try home.write(".kube/config", Array((file + before).utf8), mode: 0o600)
        try home.setUp(.kubectl)
        let expected = after.replacingOccurrences(of: "EXEC", with: exec(helper))
            .replacingOccurrences(of: "HELPER", with: helper)
            .replacingOccurrences(of: "FINGERPRINT", with: certificate.fingerprint)
        #expect(try home.read(".kube/config") == file + expected)
        #expect(try home.mode(".kube/config") == 0o600)
        var damage = try SettingsDamage(.kubectl, home.environment)
        #expect(damage.changed.isEmpty && damage.missing.isEmpty)
        // The copy for an undo is on disk: it has no secret.
        let folder = "\(home.folder)/state/setup"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            #expect(!text.contains("bilby"))
        }
        try home.undo(.kubectl)
        #expect(try home.read(".kube/config") == file + rest)

        // What kubectl has changed since remains.
        try home.write(".kube/config", file + before)
        try home.setUp(.kubectl)
        let changed = try home.read(".kube/config")
            .replacingOccurrences(of: "namespace: notes", with: "namespace: other")
        try home.write(".kube/config", changed)
        try home.undo(.kubectl)
        let undone = file.replacingOccurrences(of: "namespace: notes", with: "namespace: other")
        #expect(try home.read(".kube/config") == undone + rest)
        try home.write(".kube/config", file)
        damage = try SettingsDamage(.kubectl, home.environment)
        #expect(damage.changed.isEmpty)
    }

    /// Editors of Windows write a mark before the text, and other line breaks.
    @Test(arguments: ["", "\u{FEFF}"], ["\n", "\r\n"])
    func textsOfWindows(mark: String, lineBreak: String) throws {
        let (home, helper) = try home()
        let clusters = Self.clusters.replacing("- {context", with: "#- {context")
        func file(_ users: String) -> String {
            mark + (clusters + users).replacing("\n", with: lineBreak)
        }
        try home.write(".kube/config", file("users:\n- name: ada\n  user:\n    token: bilby\n"))
        try home.setUp(.kubectl)
        let users = "users:\n- name: ada\n  user:\n"
        #expect(try home.read(".kube/config") == file(users + exec(helper)))
        try home.undo(.kubectl)
        #expect(try home.read(".kube/config") == file("users:\n- name: ada\n  user: {}\n"))
    }

    /// The cluster's next certificate has the same name, and kubectl has to get that one.
    @Test func renewedCertificate() throws {
        let (home, helper) = try home()
        let file = Self.clusters.replacingOccurrences(of: "- {context", with: "#- {context")
        for (der, fingerprint) in Self.certificates {
            try home.write(
                ".kube/config",
                file + """
                    users:
                    - name: ada
                      user:
                        client-certificate-data: \(Self.pem(der))
                        client-key-data: bilby

                    """)
            try home.setUp(.kubectl)
            let text = try home.read(".kube/config")
            #expect(text.contains("args:\n      - \"\(fingerprint)\"\n"), "\(text)")
        }
        // What an earlier version wrote.
        let named = try home.read(".kube/config").replacingOccurrences(
            of: Self.certificates[1].fingerprint, with: "ada")
        try home.write(".kube/config", named)
        #expect(try home.setup(.kubectl).plan().isEmpty)
        let damage = try SettingsDamage(.kubectl, home.environment)
        #expect(damage.changed.isEmpty && damage.missing.isEmpty)
        try home.undo(.kubectl)
        let undone = try home.read(".kube/config")
        #expect(!undone.contains(helper) && undone.hasSuffix("  user: {}\n"), "\(undone)")
    }

    @Test(arguments: [("*", "not Base64"), ("YmlsYnk=", "not PEM")])
    func damagedCertificate(value: String, reason: String) throws {
        let (home, _) = try home()
        let file = Self.clusters.replacingOccurrences(of: "- {context", with: "#- {context")
        try home.write(
            ".kube/config",
            file + "users:\n- name: ada\n  user:\n    client-certificate-data: \"\(value)\"\n"
                + "    client-key-data: bilby\n")
        let error = #expect(throws: KeychainError.self) { try home.setup(.kubectl).plan() }
        #expect(error?.reason == "the certificate of 'ada' is \(reason)")
    }

    /// All forms of texts that kubectl's own reader takes.
    @Test(arguments: [
        ("'bil''by'", "bil'by"), ("\"bil\\x62y\"", "bilby"), ("!!str bilby # mine", "bilby"),
        ("|-\n      bilby", "bilby"), (">-\n      bil\n      by", "bil by"),
        ("bil\n      by", "bil by"),
    ])
    func formsOfATokenThatMoves(text: String, token: String) throws {
        let (home, helper) = try home()
        let eve = """
            - name: eve
              user:
                exec:
                  args: [ - -c, 'x' ]
                  command: *x

            """
        for other in ["", eve.replacing("- -c", with: "-c")] {
            let file = Self.clusters + "users:\n" + other + "- name: ada\n  user:\n"
            try home.write(".kube/config", file + "    token: \(text)\n")
            let logins = try KubectlSetup([], home.environment).plainLogins()
            #expect(
                logins.map { String(decoding: Array($0.token ?? ""), as: UTF8.self) } == [token])
            try home.setUp(.kubectl)
            #expect(try home.read(".kube/config") == file + exec(helper))
            try home.undo(.kubectl)
        }
    }

    /// People write clusters and contexts in braces; only the user's entry is changed.
    @Test(arguments: [
        "- {name: one, cluster: {server: \"https://a.example:6443\", tls-server-name: 'x, y'}}",
        "- name: one\n  cluster: { server: https://a.example:6443 , certificate-authority: /x }",
    ])
    func clustersInBraces(cluster: String) throws {
        let (home, helper) = try home()
        let file = """
            clusters:
            \(cluster)
            contexts:
            - name: one
              context: {cluster: one, user: ada}
            current-context: one
            users:
            - name: ada
              user:

            """
        try home.write(".kube/config", file + "    token: bilby\n")
        try home.setUp(.kubectl)
        #expect(try home.read(".kube/config") == file + exec(helper))
    }

    @Test(arguments: [
        ("kind: Config\na:\n" + String(repeating: "- ", count: 200_000), 3),
        (
            (0..<200).map { String(repeating: " ", count: $0) + "a:\n" }.joined(), 65
        ),
    ])
    func deepFile(text: String, line: Int) {
        let error = #expect(throws: KeychainError.self) { try Kubeconfig(FileBytes(text)) }
        #expect(error?.reason == "line \(line) is not of the form that kubectl writes")
    }

    @Test(arguments: [
        ("kind: Config\ncl", true), ("kind: Config\ncl\n", false), ("{\"users\": [", true),
        ("users: [\nkind: Config", true), ("users:\n- user:\n    token: \"abc", true),
    ])
    func cutFile(text: String, isCut: Bool) {
        let error = #expect(throws: KeychainError.self) { try Kubeconfig(FileBytes(text)) }
        #expect(error?.hint == (isCut ? "the file may be cut off: its last line has no end" : nil))
    }

    /// With this version kubectl requires the mode.
    @Test func hintForAnUnreadableFile() throws {
        let (home, _) = try home()
        try home.write(".kube/config", "kind: Config\ncl\n")
        let error = failure { _ = try home.setup(.kubectl).plan() }
        #expect(
            error?.hint == "kubectl config set-credentials USER"
                + " --exec-command=kubectl-credential-lanyard --exec-arg=https://SERVER --exec-arg=USER"
                + " --exec-api-version=client.authentication.k8s.io/v1"
                + " --exec-interactive-mode=IfAvailable")
    }

    /// So many that a comparison of each with each would take minutes.
    @Test(.timeLimit(.minutes(1)))
    func manyKeys() throws {
        let text = (0..<200_000).map { "a\($0): b\n" }.joined()
        #expect(try Kubeconfig(FileBytes(text)).users == [])
        #expect(throws: KeychainError.self) { try Kubeconfig(FileBytes(text + "a0: b\n")) }
    }

    /// So many that a search for each among all of them would take minutes.
    @Test(.timeLimit(.minutes(1)))
    func manyUsers() throws {
        func entries(_ entry: (Int) -> String) -> String { (0..<20_000).map(entry).joined() }
        let text =
            "clusters:\n"
            + entries { "- cluster:\n    server: https://h\($0).example\n  name: c\($0)\n" }
            + "contexts:\n"
            + entries { "- context:\n    cluster: c\($0)\n    user: u\($0)\n  name: x\($0)\n" }
            + "users:\n" + entries { "- name: u\($0)\n  user:\n    token: t\($0)\n" }
        let file = try Kubeconfig(FileBytes(text))
        #expect(file.plainUsers.count == 20_000)
        #expect(
            file.users.allSatisfy { user in
                file.servers(of: user) == ["https://h\(user.dropFirst()).example"]
            })
    }

    @Test func severalUsers() throws {
        let (home, _) = try home()
        let file =
            Self.clusters.replacingOccurrences(
                of: "- {context: {cluster: two, user: eve}, name: eve@two}",
                with: "- context:\n    cluster: one\n    user: eve\n  name: eve@one")
            + "users:\n- name: ada\n  user:\n    token: one\n- name: eve\n  user:\n    token: two\n"
        try home.write("config", file)
        home.variables["KUBECONFIG"] = "\(home.path("config")):/nowhere"
        for user in ["ada", "eve"] {
            let setup = ToolSetup(.kubectl, home.environment, names: [user])
            try setup.apply(try setup.plan())
            #expect(try setup.plan().isEmpty)
        }
        let text = try home.read("config")
        #expect(text.components(separatedBy: "exec:").count == 3 && !text.contains("token:"))
        try FileManager.default.removeItem(
            atPath: "\(home.folder)/bin/kubectl-credential-lanyard")
        let damage = try SettingsDamage(.kubectl, home.environment)
        #expect(damage.changed.isEmpty && damage.missing.count == 1)
        try home.undo(.kubectl)
        #expect(
            try home.read("config")
                == file.replacingOccurrences(of: "  user:\n    token: one\n", with: "  user: {}\n")
                .replacingOccurrences(of: "  user:\n    token: two\n", with: "  user: {}\n"))
    }

    @Test(
        "files that can't be changed safely are refused",
        arguments: [
            ("users:\n- name: ada\n  user: {token: x}\n", "braces"),
            ("users:\n- name: ada\n  user: &x\n    token: x\n", "login of another form"),
            ("users:\n- &x\n  name: ada\n  user:\n    token: x\n", "login of another form"),
            ("users:\n- name: ada\n  user:\n    token: *x\n", "login of another form"),
            ("users:\n- name: ada\n  user:\n    <<: *x\n", "login of another form"),
            ("users:\n- name: ada\n  user:\n    token: !vault x\n", "login of another form"),
            ("users:\n- name: ada\n  user:\n    token: x\n      y: z\n", "line 22 is not"),
            ("users:\n- name: ada\n  user:\n    token: \"x\\c\"\n", "line 21 is not"),
            ("users:\n- name: ada\n  user:\n    token: x\n    token: y\n", "line 22 is not"),
            ("users:\n- name: ada\n  user:\n\ttoken: x\n", "line 21 is not"),
            ("---\nusers: []\n", "line 19 is not"),
            ("users:\n- name: ada\n  user:\n    tokenFile: /x\n", "tokenFile"),
            ("users:\n- name: ada\n  user:\n    username: x\n", "username"),
            ("users:\n- name: ada\n  user:\n    exec:\n      command: aws\n", "aws"),
            ("users:\n- name: eve\n  user: {}\n", "no user 'ada'"),
            ("users:\n- name: ada\n  user: {}\n- name: ada\n  user: {}\n", "or two"),
            ("{}\n", "line 18 is not"),
        ])
    func refused(users: String, reason: String) throws {
        let (home, _) = try home()
        let file = Self.clusters.split(separator: "\n").filter { !$0.hasPrefix("- {") }
        try home.write(".kube/config", file.joined(separator: "\n") + "\n" + users)
        let tree = try home.tree()
        let setup = home.setup(.kubectl)
        let error = #expect(throws: KeychainError.self) { try setup.plan() }
        #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
        #expect(try home.tree() == tree)
    }

    @Test(
        "an import reads logins that a setup can't change",
        arguments: [
            (
                #"{"users":[{"name":"ada","user":{"token":"tok"}}],"contexts":[{"name":"c","context":"#
                    + #"{"cluster":"k","user":"ada"}}],"clusters":[{"name":"k","cluster":"#
                    + #"{"server":"https://k.example"}}]}"#, "tok", nil
            ),
            (
                "users:\n- name: ada\n  user: {token: tok}\ncontexts:\n- name: c\n  context: {cluster: k, "
                    + "user: ada}\nclusters:\n- name: k\n  cluster: {server: https://k.example}\n",
                "tok", nil
            ),
            (
                "{users: [{name: ada, user: {token: tok}}], contexts: [{name: c, context: {cluster: k,\n"
                    + "user: ada}}], clusters: [{name: k, cluster: {server: https://k.example}}]}\n",
                "tok", nil
            ),
            ("users: [{name: ada, user: {token: tok}]\n", nil, "line 1 is not"),
        ] as [(String, String?, String?)])
    func reading(file: String, token: String?, reason: String?) throws {
        var tokens: [String] = []
        var error: KeychainError?
        do throws(KeychainError) {
            try KubectlSetup.forEachPlainLogin(in: Array(file.utf8).span) { login, _ in
                let token = try? login.get().token
                tokens.append(token?.secret.withBytes { ByteString(copying: $0).description } ?? "")
            }
        } catch let failure {
            error = failure
        }
        #expect(tokens == [token].compactMap(\.self))
        #expect(error?.reason.contains(reason ?? "") == (reason == nil ? nil : true))
        #expect(error?.status == (reason == nil ? nil : .decode))
    }

    @Test("kuberc's list gets the program", arguments: ["name", "command"])
    func kuberc(key: String) throws {
        let (home, helper) = try home()
        try home.write(
            ".kube/config",
            Self.clusters.replacingOccurrences(of: "- {context", with: "#- {context")
                + "users:\n- name: ada\n  user: {}\n")
        let before = """
            apiVersion: kubectl.config.k8s.io/v1beta1
            kind: Preference
            credentialPluginPolicy: Allowlist
            credentialPluginAllowlist:
              - \(key): /usr/bin/cloud-login
            aliases: []

            """
        try home.write(".kube/kuberc", before)
        let tree = try home.tree()
        try home.setUp(.kubectl)
        #expect(
            try home.read(".kube/kuberc")
                == before.replacingOccurrences(
                    of: "cloud-login\n", with: "cloud-login\n  - \(key): \(helper)\n"))
        try home.undo(.kubectl)
        #expect(try home.tree() == tree)
    }

    @Test(arguments: ["DenyAll", "Allowlist"])
    func kubercWithoutAList(policy: String) throws {
        let (home, _) = try home()
        try home.write(
            ".kube/config",
            Self.clusters.replacingOccurrences(of: "- {context", with: "#- {context")
                + "users:\n- name: ada\n  user: {}\n")
        try home.write(".kube/kuberc", "credentialPluginPolicy: \(policy)\n")
        let setup = home.setup(.kubectl)
        let error = #expect(throws: KeychainError.self) { try setup.plan() }
        #expect(error?.reason.contains("kuberc") == true, "\(String(describing: error))")
    }
}
