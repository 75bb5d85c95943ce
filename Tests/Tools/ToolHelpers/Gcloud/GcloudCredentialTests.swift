import KeychainServices
import StoreConformance
import Testing

@testable import ToolHelpers

@Suite("executable-sourced credentials")
struct GcloudCredentialTests {
    private let keychain = Keychain(inMemoryFor: .gcloud)
    private static let audience = "//iam.googleapis.com/projects/1/providers/x"
    private static let jwt = "urn:ietf:params:oauth:token-type:jwt"

    private func store(_ token: String) throws {
        var name = ItemAttributes()
        name.service = ByteString(Self.audience)
        _ = try keychain.add(
            .genericPassword, try ToolFormat.gcloud.attributes(name), secret: Secret(token))
    }

    private func run(_ arguments: [String] = [audience], type: String? = nil) throws -> String {
        let session = ScriptedSession("gcloud-credential-lanyard", arguments, in: keychain)
        session.input = [0]
        session.variables["GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE"] = type
        defer { #expect(session.input == [0]) }
        try ToolHelper.gcloud.run(session)
        return session.output
    }

    @Test("a token of any kind")
    func token() throws {
        try store("opaque.token")
        #expect(
            try run()
                == "{\"version\":1,\"success\":true,\"token_type\":\"\(Self.jwt)\",\"id_token\":\"opaque.token\"}\n"
        )
        let saml = "urn:ietf:params:oauth:token-type:saml2"
        #expect(
            try run(type: saml)
                == "{\"version\":1,\"success\":true,\"token_type\":\"\(saml)\",\"saml_response\":\"opaque.token\"}\n"
        )
    }

    /// The claims are `{"sub":"?>?~","exp":1800000001}`, `{"exp":1799999999}` and `{"exp":"x"}`.
    @Test("the expiry of a JSON Web Token")
    func expiry() throws {
        let claims = "eyJzdWIiOiI_Pj9-IiwiZXhwIjoxODAwMDAwMDAxfQ"
        try store("e30.\(claims).c2ln")
        #expect(try run().hasSuffix("\"e30.\(claims).c2ln\",\"expiration_time\":1800000001}\n"))
    }

    @Test("an expired token is a failure")
    func expired() throws {
        try store("e30.eyJleHAiOjE3OTk5OTk5OTl9.c2ln")
        #expect(try run().contains("\"success\":false"))
        #expect(try run().contains("the stored token has expired"))
    }

    @Test("other claims are no expiry", arguments: ["eyJleHAiOiJ4In0", "e30", "!", "", "e3"])
    func noExpiry(claims: String) throws {
        try store("e30.\(claims).c2ln")
        #expect(try run().hasSuffix("\"id_token\":\"e30.\(claims).c2ln\"}\n"))
    }

    @Test("failures have the protocol's own form")
    func failures() throws {
        let missing = try run()
        #expect(
            missing
                == "{\"version\":1,\"success\":false,\"code\":\"-25300\",\"message\":\"found no token for this audience; lanyard set --for gcloud \(Self.audience)\"}\n"
        )
        for arguments in [[], ["a", "b"], ["--nonsense"]] {
            #expect(try run(arguments).hasPrefix("{\"version\":1,\"success\":false,"))
        }
        #expect(try run(type: "urn:other").contains("unknown type of token"))
    }
}
