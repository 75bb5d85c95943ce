import ItemImport
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
}
