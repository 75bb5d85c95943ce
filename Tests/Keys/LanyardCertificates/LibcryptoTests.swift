import KeychainServices
import Testing

@testable import LanyardCertificates

@Suite struct LibcryptoTests {
    @Test func startsMoreThanOnce() {
        Libcrypto.start()
        Libcrypto.start()
    }

    @Test func turnsAFailedCallIntoAnError() {
        #expect(throws: KeychainError(.decode)) {
            try Libcrypto.check(0, .decode)
        }
        #expect(throws: Never.self) { try Libcrypto.check(1, .decode) }
    }
}
