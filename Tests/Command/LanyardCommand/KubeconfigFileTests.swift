import LanyardTransfer
import KeychainServices
import Testing

@testable import LanyardCommand

/// What an import names in a kubeconfig although it is no user's login.
@Suite struct KubeconfigFileTests {
    @Test func secretsElsewhereAreNamed() throws {
        let file = """
            current-context: c
            clusters:
            - name: k
              cluster:
                certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t
                server: https://k.example:6443
                proxy-url: http://ada:secret@proxy.example
            contexts:
            - name: c
              context: {cluster: k, user: ada}
            users:
            - name: ada
              user: {token: tok}
            - name: eve
              user:
                exec:
                  command: aws
                  args: [eks, get-token]
                  env:
                  - name: AWS_SECRET_ACCESS_KEY
                    value: SECRETVALUE1
            - name: bob
              user:
                exec:
                  command: kubelogin
                  args:
                  - get-token
                  - --oidc-client-id=a1b2c3d4
                  - --oidc-client-secret=SECRETVALUE2
                  - --token-cache-storage=disk
                  env: null
            - name: carl
              user: {exec: {command: k, args: [--token, SECRETVALUE3]}}

            """
        var items = 0
        var places: [String] = []
        try KubeconfigFile().read(Secret(copying: Array(file.utf8).span)) {
            record throws(KeychainError) in
            if case .item = record.content {
                items += 1
            } else {
                places.append(record.place)
            }
        }
        #expect(items == 1)
        #expect(places == ["line 7", "line 21", "line 29", "line 33"])
    }

    /// Editors of Windows write a mark before the text, and other line breaks.
    @Test(arguments: ["", "\u{FEFF}"], ["\n", "\r\n"])
    func textsOfWindows(mark: String, lineBreak: String) throws {
        let text = """
            users:
            - name: ada
              user:
                token: tok
            clusters:
            - name: k
              cluster:
                server: https://k.example:6443
            contexts:
            - name: c
              context:
                cluster: k
                user: ada

            """
        var secrets: [String] = []
        let file = mark + text.replacing("\n", with: lineBreak)
        try KubeconfigFile().read(Secret(copying: Array(file.utf8).span)) {
            record throws(KeychainError) in
            if case .item(let item) = record.content {
                secrets.append(item.secret.withBytes { ByteString(copying: $0).description })
            }
        }
        #expect(secrets == ["tok"])
    }

    /// A user whose login is not one that moves is named; the others are imported.
    @Test(
        arguments: [
            ("    token: \"SECRET1\" # old", "SECRET1"), (#"    token: "SEC\x52ET1""#, "SECRET1"),
            ("    token: |-\n      SECRET1", "SECRET1"),
            ("    token:\n      SECRET1\n     x", "SECRET1 x"),
            ("    token: SECRET1\n      more", "SECRET1 more"), ("    token: &a SECRET1", nil),
            ("    token: SECRET1\n    tokenFile: /t", nil),
            ("    token: SECRET1\n    exec: {command: k}", nil),
            ("    client-certificate: /c\n    client-key-data: U0VDUkVUMQ==", nil),
            ("    username: a\n    password: SECRET1", nil),
            ("    client-key-data: 'U0VD''UkVUMQ'", nil),
            (
                "    auth-provider:\n      config:\n        client-secret: >-\n          SECRET1",
                nil
            ),
            (
                "    token: other\n    extensions:\n    - extension:\n        secret: SECRET1",
                "other"
            ),
            (
                "    exec:\n      command: k\n      env:\n      - name: TOKEN\n        value: |-\n          SECRET1",
                nil
            ),
        ] as [(String, String?)])
    func oddUsers(login: String, token: String?) throws {
        let file = """
            clusters:
            - name: k
              cluster:
                server: https://k.example:6443
            contexts:
            - name: a
              context: {cluster: k, user: ada}
            - name: b
              context: {cluster: k, user: bob}
            users:
            - name: bob
              user:
            \(login)
            - name: ada
              user:
                token: tok

            """
        var secrets: [String] = []
        var failures = 0
        try KubeconfigFile().read(Secret(copying: Array(file.utf8).span)) {
            record throws(KeychainError) in
            switch record.content {
            case .item(let item):
                secrets.append(item.secret.withBytes { ByteString(copying: $0).description })
            case .failed:
                failures += 1
                #expect(record.place.hasPrefix("line "))
            default: break
            }
        }
        #expect(secrets == [token].compactMap(\.self) + ["tok"])
        // What is in extensions is not read.
        #expect((failures > 0) == (token == nil || token == "other"))
    }
}
