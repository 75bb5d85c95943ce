import KeychainServices
import Testing

@testable import ToolHelpers

@Suite("kubectl's credential protocol") struct ExecCredentialTests {
    private let version = "client.authentication.k8s.io/v1"

    @Test("a request names its version and the cluster, if it has one")
    func requests() throws {
        let bare = try ExecCredentialRequest(nil)
        #expect(bare.apiVersion == "client.authentication.k8s.io/v1" && bare.server == nil)
        let whole = try ExecCredentialRequest(
            """
            {"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1",
             "spec":{"cluster":{"server":"https://a.example:6443","config":null,
             "certificate-authority-data":"LS0t"},"interactive":false},"status":{}}
            """)
        #expect(whole.apiVersion == "client.authentication.k8s.io/v1beta1")
        #expect(whole.server == "https://a.example:6443")
    }

    @Test(
        "anything else is refused",
        arguments: [
            ("", -26275), ("{}", -26275), ("[]", -26275), ("{\"kind\":\"ExecCredential\"}", -26275),
            ("{\"kind\":1,\"apiVersion\":\"client.authentication.k8s.io/v1\"}", -26275),
            ("{\"kind\":\"Pod\",\"apiVersion\":\"client.authentication.k8s.io/v1\"}", -26275),
            (
                "{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v2\"}",
                -25310
            ),
        ])
    func badRequests(text: String, status: Int32) {
        #expect(throws: KeychainError(Status(rawValue: status))) {
            try ExecCredentialRequest(text)
        }
    }

    @Test("the answer repeats the version and has the token")
    func token() throws {
        let request = try ExecCredentialRequest(nil)
        let answer = try ExecCredential(Secret("abc.\"def")).answer(to: request)
        #expect(
            text(answer) == """
                {"apiVersion":"\(version)","kind":"ExecCredential","status":{"token":"abc.\\"def"}}

                """)
        let binary: [UInt8] = [0xFF]
        #expect(throws: KeychainError(.decode)) {
            _ = try ExecCredential(Secret(copying: binary.span)).answer(to: request)
        }
    }

    @Test("the answer has a certificate, its key and its end")
    func certificate() throws {
        let credential = ExecCredential(
            Secret("KEY\n"),
            certificate: ExecCredential.ClientCertificate(
                chain: Array("CERT\n".utf8), expires: Timestamp(secondsSinceEpoch: 0)))
        let answer = try credential.answer(to: ExecCredentialRequest(nil))
        #expect(
            text(answer) == """
                {"apiVersion":"\(version)","kind":"ExecCredential","status":{\
                "clientCertificateData":"CERT\\n","clientKeyData":"KEY\\n",\
                "expirationTimestamp":"1970-01-01T00:00:00Z"}}

                """)
    }

    @Test("a token is found by the cluster's address, in kubectl's group")
    func tokens() throws {
        let keychain = Keychain(
            InMemoryStore { Timestamp(secondsSinceEpoch: 1) },
            accessGroups: KubectlCredentialHelper.accessGroups)
        for (port, group) in [(UInt16(6443), "kubectl"), (0, "kubectl"), (7000, "login")] {
            var attributes = ItemAttributes()
            attributes.server = "a.example"
            attributes.protocol = .https
            attributes.port = port
            attributes.accessGroup = ByteString(group)
            try keychain.add(.internetPassword, attributes, secret: Secret("token-\(port)"))
        }
        let helper = KubectlCredentialHelper(keychain: keychain)
        let request = try ExecCredentialRequest(
            """
            {"kind":"ExecCredential","apiVersion":"\(version)",
             "spec":{"cluster":{"server":"https://A.example:6443"}}}
            """)
        for (what, token) in [
            ("cluster", "token-6443"), ("https://a.example:6443/", "token-6443"),
            ("https://a.example", "token-0"),
        ] {
            let found = try helper.get(what, for: request)
            #expect(text(found.secret) == token && found.certificate == nil)
        }
        for (what, status) in [
            ("https://a.example:7000", Status.itemNotFound), ("https://b.example", .itemNotFound),
            ("https://", .param),
        ] {
            #expect(throws: KeychainError(status)) { _ = try helper.get(what, for: request) }
        }
        #expect(throws: KeychainError(.param)) {
            _ = try helper.get("cluster", for: ExecCredentialRequest(nil))
        }
    }

    @Test(
        "the address of a server without https is no certificate's name",
        arguments: ["http://k:6443", "k:6443", "k.example:443", "[::1]:6443", "HTTP://k"])
    func serversWithoutHTTPS(address: String) throws {
        #expect(KubectlCredentialHelper.isToken(address))
        let helper = KubectlCredentialHelper(
            keychain: Keychain(
                InMemoryStore(now: { Timestamp(secondsSinceEpoch: 0) }), accessGroup: "kubectl"))
        let error = #expect(throws: KeychainError.self) {
            _ = try helper.get(address, for: ExecCredentialRequest(nil))
        }
        #expect(error?.reason == "kubectl gets tokens only for https servers")
    }

    @Test(
        "names of certificates",
        arguments: ["ada", "Ada Lovelace", "system:node:k", "ada: 1", "k.example", "a/b"])
    func certificates(name: String) {
        #expect(!KubectlCredentialHelper.isToken(name))
    }

    private func text(_ secret: borrowing Secret) -> String {
        secret.withBytes { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }

    @Test(
        "only an https server gets its token, also with the usual port",
        arguments: [
            ("https://c.example:6443", true), ("https://C.example:6443/path", true),
            ("https://d.example:443", true), ("https://d.example", true),
            ("http://c.example:6443", false), ("ftp://c.example:6443", false),
            ("c.example:6443", false), ("https://c.example", false),
        ])
    func servers(address: String, isFound: Bool) throws {
        let keychain = Keychain(
            InMemoryStore(now: { Timestamp(secondsSinceEpoch: 0) }), accessGroup: "kubectl")
        for (host, port) in [("c.example", 6443), ("d.example", nil)] as [(ByteString, UInt16?)] {
            var name = ItemAttributes()
            name.server = host
            name.port = port
            let item = try ToolFormat.kubectl.attributes(name)
            _ = try keychain.add(.internetPassword, item, secret: Secret("t0"))
        }
        let request = try ExecCredentialRequest(
            """
            {"kind":"ExecCredential","apiVersion":"\(version)",
             "spec":{"cluster":{"server":"\(address)"},"interactive":false}}
            """)
        let helper = KubectlCredentialHelper(keychain: keychain)
        let isAnswered = (try? helper.get(KubectlCredentialHelper.cluster, for: request)) != nil
        #expect(isAnswered == isFound)
    }

    /// As Rancher's.
    @Test("a server with several clusters has a token for each path")
    func paths() throws {
        let keychain = Keychain(
            InMemoryStore(now: { Timestamp(secondsSinceEpoch: 0) }), accessGroup: "kubectl")
        for cluster in ["c-1", "c-2"] {
            var name = ItemAttributes()
            name.server = "c.example"
            name.path = ByteString("k8s/clusters/\(cluster)")
            let item = try ToolFormat.kubectl.attributes(name)
            _ = try keychain.add(.internetPassword, item, secret: Secret(cluster))
        }
        let helper = KubectlCredentialHelper(keychain: keychain)
        let request = try ExecCredentialRequest(nil)
        for cluster in ["c-1", "c-2"] {
            let address = "https://c.example/k8s/clusters/\(cluster)"
            #expect(text(try helper.get(address, for: request).secret) == cluster)
        }
        #expect(throws: KeychainError(.itemNotFound)) {
            _ = try helper.get("https://c.example/k8s/clusters/c-12", for: request)
        }
    }

    @Test("a token for http is refused where it is stored") func storing() {
        var name = ItemAttributes()
        name.protocol = .http
        name.server = "c.example"
        #expect(throws: KeychainError.self) { try ToolFormat.kubectl.attributes(name) }
    }
}
