import KeychainServices
import Testing

@Suite struct AuthenticationTypeTests {
    @Test func codes() {
        let codes: [ByteString] = [
            "dflt", "http", "httd", "form", "ntlm", "msna", "dpaa", "rpaa",
        ]
        #expect(AuthenticationType.all.map(\.rawValue.text) == codes)
        let named: [AuthenticationType] = [
            .default, .httpBasic, .httpDigest, .htmlForm, .ntlm, .msn, .dpa, .rpa,
        ]
        #expect(named == AuthenticationType.all)
    }

    @Test func otherCodesCanBeNamed() {
        #expect(AuthenticationType(rawValue: "oath").rawValue.text == "oath")
    }
}
