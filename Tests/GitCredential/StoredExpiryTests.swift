import KeychainServices
import Testing

@testable import GitCredential

/// The expiry alone, read without taking the login apart.
@Suite struct StoredExpiryTests {
    @Test(
        arguments: [
            "", "pw", "password_expiry_utc=5", "pw\npassword_expiry_utc=5",
            "pw\noauth_refresh_token=t\npassword_expiry_utc=77\nauthtype=Bearer",
            "pw\npassword_expiry_utc=5\npassword_expiry_utc=6", "pw\npassword_expiry_utc=0",
            "pw\npassword_expiry_utc=5\npassword_expiry_utc=x", "pw\npassword_expiry_utc=-5",
            "pw\n\n\npassword_expiry_utc=9\n", "pw\npassword_expiry_utc", "pw\n=5", "\n",
            "pw\ncredential=password_expiry_utc=4", "pw\npassword_expiry_utc=9223372036854775807",
            "pw\npassword_expiry_utc=9223372036854775808",
        ])
    func isThatOfTheLogin(text: String) {
        #expect(expiry(ofStored: Secret(text)) == Login(text: Secret(text)).expiry)
    }

    @Test func isReadAtAll() {
        let secret = Secret("pw\npassword_expiry_utc=1795262400")
        #expect(expiry(ofStored: secret)?.secondsSinceEpoch == 1_795_262_400)
    }
}
