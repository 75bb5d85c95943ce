import KeychainServices
import StoreConformance
import Testing

@testable import ToolHelpers

@Suite("NuGet's plugin protocol")
struct NuGetPluginTests {
    private let keychain = Keychain(inMemoryFor: .nuget)
    private static let close = #"{"RequestId":"9","Type":"Request","Method":"Close"}"#

    private func store(account: ByteString? = nil, path: ByteString? = nil, _ secret: String) throws
    {
        var name = ItemAttributes()
        name.server = "nuget.example.com"
        name.account = account
        name.path = path
        _ = try keychain.add(
            .internetPassword, try ToolFormat.nuget.attributes(name), secret: Secret(secret))
    }

    /// Returns what follows our own handshake.
    private func replies(_ lines: String...) throws -> [String] {
        let session = ScriptedSession("nuget-plugin-lanyard", ["-Plugin"], in: keychain)
        session.input = Array(lines.map { "\($0)\r\n" }.joined().utf8)
        try ToolHelper.nuget.run(session)
        var output = session.output.split(separator: "\n").map(String.init)
        #expect(
            output.removeFirst()
                == #"{"RequestId":"6c616e79-6172-4064-8000-000000000001","Type":"Request","Method":"Handshake","Payload":{"ProtocolVersion":"2.0.0","MinimumProtocolVersion":"2.0.0"}}"#
        )
        return output
    }

    private func request(_ method: String, _ payload: String = "{}") -> String {
        "{\"RequestId\":\"7\",\"Type\":\"Request\",\"Method\":\"\(method)\",\"Payload\":\(payload)}"
    }

    private func response(_ method: String, _ payload: String) -> String {
        "{\"RequestId\":\"7\",\"Type\":\"Response\",\"Method\":\"\(method)\",\"Payload\":\(payload)}"
    }

    @Test("the whole conversation")
    func conversation() throws {
        try store(account: "ada", "hunter2")
        let uri =
            #"{"Uri":"https://nuget.example.com/v3/index.json","IsRetry":false,"IsNonInteractive":true,"CanShowDialog":false}"#
        let output = try replies(
            request("Handshake", #"{"ProtocolVersion":"2.0.0","MinimumProtocolVersion":"1.0.0"}"#),
            #"{"RequestId":"1","Type":"Response","Method":"Handshake","Payload":{"ResponseCode":"Success","ProtocolVersion":"2.0.0"}}"#,
            request("MonitorNuGetProcessExit", #"{"ProcessId":1}"#),
            request(
                "Initialize",
                #"{"ClientVersion":"6.12.0","Culture":"en-US","RequestTimeout":"00:00:05"}"#),
            request("GetOperationClaims", #"{"PackageSourceRepository":null,"ServiceIndex":null}"#),
            request("SetLogLevel", #"{"LogLevel":"Debug"}"#),
            request("GetAuthenticationCredentials", uri),
            #"{"RequestId":"7","Type":"Cancel","Method":"GetAuthenticationCredentials"}"#,
            request(
                "SetCredentials",
                #"{"PackageSourceRepository":"https://x.example","Username":"u","Password":"p"}"#),
            Self.close, request("SetLogLevel"))
        let success = #"{"ResponseCode":"Success"}"#
        #expect(
            output == [
                response("Handshake", #"{"ResponseCode":"Success","ProtocolVersion":"2.0.0"}"#),
                response("MonitorNuGetProcessExit", success),
                response("Initialize", success),
                response("GetOperationClaims", #"{"Claims":["Authentication"]}"#),
                response("SetLogLevel", success),
                response(
                    "GetAuthenticationCredentials",
                    #"{"Username":"ada","Password":"hunter2","AuthenticationTypes":["Basic"],"ResponseCode":"Success"}"#
                ),
                response("SetCredentials", success),
            ])
    }

    @Test("no login, and one that was rejected")
    func noLogin() throws {
        let method = "GetAuthenticationCredentials"
        let uri = #"{"Uri":"https://nuget.example.com/v3/index.json","IsRetry":true}"#
        #expect(
            try replies(request(method, uri)) == [response(method, #"{"ResponseCode":"NotFound"}"#)]
        )
        try store(account: "ada", "wrong")
        #expect(
            try replies(request(method, uri)) == [
                response(
                    method,
                    #"{"Message":"lanyard: the stored login for https://nuget.example.com/v3/index.json was rejected","ResponseCode":"NotFound"}"#
                )
            ])
        let reply = try replies(request(method, #"{"Uri":"relative"}"#))
        #expect(reply.count == 1 && reply[0].contains(#""ResponseCode":"Error""#), "\(reply)")
    }

    @Test("of two paths the longer one counts")
    func paths() throws {
        try store(account: "ada", "general")
        try store(account: "bob", path: "/team/", "special")
        let reply = try replies(
            request(
                "GetAuthenticationCredentials",
                #"{"Uri":"https://nuget.example.com/team/index.json"}"#))
        #expect(reply[0].contains(#""Username":"bob","Password":"special""#), "\(reply)")
    }

    @Test("other methods, and claims for one source")
    func others() throws {
        #expect(
            try replies(
                request("GetServiceIndex"),
                request(
                    "GetOperationClaims",
                    #"{"PackageSourceRepository":"https://x.example","ServiceIndex":{}}"#))
                == [
                    response("GetServiceIndex", #"{"ResponseCode":"NotFound"}"#),
                    response("GetOperationClaims", #"{"Claims":[]}"#),
                ])
    }

    @Test(
        "other versions",
        arguments: [
            #"{"ProtocolVersion":"1.0.0","MinimumProtocolVersion":"1.0.0"}"#,
            #"{"ProtocolVersion":"3.0.0","MinimumProtocolVersion":"3.0.0"}"#, "{}",
        ])
    func versions(payload: String) {
        #expect(throws: KeychainError(.wrongVersion)) {
            try replies(request("Handshake", payload))
        }
    }

    @Test("invalid lines", arguments: ["", "[]", "{}", "text", #"{"RequestId":"1"}"#])
    func invalid(line: String) {
        #expect(throws: KeychainError(.decode)) { try replies(line) }
    }

    @Test("invalid arguments", arguments: [[], ["-plugin"], ["-Plugin", "x"]])
    func arguments(arguments: [String]) {
        let error = #expect(throws: KeychainError.self) {
            try ToolHelper.nuget.run(
                ScriptedSession("nuget-plugin-lanyard", arguments, in: keychain))
        }
        #expect(error?.hint == "nuget-plugin-lanyard --help")
    }
}
