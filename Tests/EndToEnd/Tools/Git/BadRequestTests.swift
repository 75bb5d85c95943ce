import Testing
@testable import EndToEndRig

/// A request that is not in the protocol's form is refused before the keychain is touched.
@Suite(.timeLimit(.minutes(10)))
struct BadRequestTests {
    let home: ScratchHome
    static let secret = "distinctive-secret"

    init() throws {
        home = try ScratchHome()
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let input: String
        let message: String

        init(_ input: String, _ message: String) {
            self.input = input
            self.message = message
        }

        var testDescription: String { "\(message): \(input.debugDescription.prefix(60))" }
    }

    private static let good = "protocol=https\nhost=example.com\nusername=ada\n"
    private static let all = [
        Bad("\(good)\(secret)\n", "line 4 of the request has no '='"),
        Bad("\(secret)", "line 1 of the request has no '='"),
        Bad("\(good)password=\(secret)\nhost\n", "line 5 of the request has no '='"),
        Bad("\(good)password=\(secret)\r\n", "line 4 of the request contains a carriage return"),
        Bad(
            "\(good)password=\(secret)\rmore\n", "line 4 of the request contains a carriage return"),
        Bad(
            "protocol=https\r\nhost=a\r\npassword=\(secret)\r\n",
            "line 1 of the request contains a car"),
        Bad("\(good)pass\rword=\(secret)\n", "line 4 of the request contains a carriage return"),
        Bad("\(good)password=\(secret)\0\n", "line 4 of the request contains a NUL"),
        Bad(
            "protocol=https\nhost=a\0b\npassword=\(secret)\n",
            "line 2 of the request contains a NUL"),
        Bad("\(good)\0=\(secret)\n", "line 4 of the request contains a NUL"),
        Bad("\(good)=\(secret)\n", "line 4 of the request has no key before its '='"),
        Bad("=\n\(good)password=\(secret)\n", "line 1 of the request has no key before its '='"),
    ]

    @Test(arguments: ["get", "store", "erase"], all)
    func isRefused(_ operation: String, _ bad: Bad) async throws {
        // On a fresh home nothing is made …
        expectRefusal(
            try await home.helper(operation, input: bad.input), bad.message, secret: Self.secret)
        #expect(try Snapshot(home.lanyard).entries.keys.sorted() == [])

        // … and nothing is changed where something is.
        try await home.store("\(Self.good)password=\(Self.secret)\n")
        let before = try Snapshot(home.lanyard)
        expectRefusal(
            try await home.helper(operation, input: bad.input), bad.message, secret: Self.secret)
        #expect(try Snapshot(home.lanyard).differences(from: before) == [])
    }

    @Test(arguments: ["get", "store", "erase"])
    func aRequestHasAnEnd(_ operation: String) async throws {
        try await home.store("\(Self.good)password=\(Self.secret)\n")
        let before = try Snapshot(home.lanyard)
        for count in [requestLimit + 1, 2 << 20] {
            let input = filled("\(Self.good)password=\(Self.secret)", count)
            expectRefusal(
                try await home.helper(operation, input: input),
                "the request is longer than 1 MiB", secret: Self.secret)
        }
        #expect(try Snapshot(home.lanyard).differences(from: before) == [])
    }

    @Test func aRequestOfOneMebibyteIsTaken() async throws {
        let request = filled("\(Self.good)password=\(Self.secret)", requestLimit)
        try await home.store(request)
        let password = try #require(request.split(separator: "\n").last)
        try await home.expectGet(Self.good, "username=ada\n\(password)\n")
        // The same bytes again are no change, however many.
        let before = try Snapshot(home.lanyard)
        try await home.store(request)
        #expect(try Snapshot(home.lanyard).differences(from: before) == [])
        try await home.erase(request)
        try await home.expectGet(Self.good, "")
    }

    /// 1 MiB.
    private let requestLimit = 1 << 20

    /// A request of that many bytes, the last value as long as it takes.
    private func filled(_ request: String, _ count: Int) -> String {
        request + String(repeating: "x", count: count - request.utf8.count - 1) + "\n"
    }
}
