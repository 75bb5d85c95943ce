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

    @Test(
        "a login has ended when neither its password nor a refresh token is left",
        arguments: [
            ("pw", false, "pw"),
            ("pw\npassword_expiry_utc=1000", false, "pw"),
            ("pw\npassword_expiry_utc=999", true, nil),
            ("pw\npassword_expiry_utc=999\noauth_refresh_token=t", false, nil),
            ("pw\npassword_expiry_utc=1000\noauth_refresh_token=t", false, "pw"),
        ] as [(String, Bool, String?)])
    func ends(text: String, hasIt: Bool, usable: String?) {
        let now = Timestamp(secondsSinceEpoch: 1000)
        #expect(hasEnded(stored: Secret(text), at: now) == hasIt)
        #expect(usablePassword(ofStored: Secret(text), at: now).map { $0.text } == usable)
    }
}
