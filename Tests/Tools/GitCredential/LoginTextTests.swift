import KeychainServices
import Testing

@testable import GitCredential

@Suite("The secret of an item")
struct LoginTextTests {
    @Test("has the form of git-credential-libsecret, with two more keys")
    func written() {
        func text(_ login: LoginView) -> String {
            login.login.text().text
        }
        var login = LoginView(password: "hunter2")
        #expect(text(login) == "hunter2")
        login.expiry = 1_684_189_401
        #expect(text(login) == "hunter2\npassword_expiry_utc=1684189401")
        login.refreshToken = "xyzzy"
        #expect(
            text(login) == "hunter2\npassword_expiry_utc=1684189401\noauth_refresh_token=xyzzy")
        login.authtype = "Bearer"
        login.credential = "abc="
        #expect(
            text(login)
                == "hunter2\npassword_expiry_utc=1684189401\noauth_refresh_token=xyzzy"
                + "\nauthtype=Bearer\ncredential=abc=")
        login = LoginView(authtype: "Bearer", credential: "abc=")
        #expect(text(login) == "\nauthtype=Bearer\ncredential=abc=")
        #expect(text(LoginView(password: "")) == "")
    }

    @Test(
        "is read from any tool's text",
        arguments: [
            ("", "", nil, nil, nil, nil),
            ("p", "p", nil, nil, nil, nil),
            ("p\n", "p", nil, nil, nil, nil),
            ("p\n\n", "p", nil, nil, nil, nil),
            ("\n", "", nil, nil, nil, nil),
            ("a=b", "a=b", nil, nil, nil, nil),
            ("oauth_refresh_token=t", "oauth_refresh_token=t", nil, nil, nil, nil),
            ("p\nsecond line", "p", nil, nil, nil, nil),
            ("p\nfuture=1\noauth_refresh_token=t", "p", nil, "t", nil, nil),
            ("p\noauth_refresh_token=t\npassword_expiry_utc=5", "p", 5, "t", nil, nil),
            ("p\noauth_refresh_token=\n", "p", nil, "", nil, nil),
            ("p\noauth_refresh_token=a\noauth_refresh_token=b", "p", nil, "b", nil, nil),
            ("p\noauth_refresh_token", "p", nil, nil, nil, nil),
            ("p\n oauth_refresh_token=t", "p", nil, nil, nil, nil),
            ("p\npassword_expiry_utc=soon", "p", nil, nil, nil, nil),
            ("p\npassword_expiry_utc=0", "p", nil, nil, nil, nil),
            ("p\npassword_expiry_utc=7\r", "p", nil, nil, nil, nil),
            ("p\nhost=evil\nusername=x\npassword=q", "p", nil, nil, nil, nil),
            ("\nauthtype=Bearer\ncredential=c", nil, nil, nil, "Bearer", "c"),
            ("\ncredential=c\nauthtype=Bearer", nil, nil, nil, "Bearer", "c"),
            ("\ncredential=", nil, nil, nil, nil, ""),
            ("\nauthtype=Bearer", "", nil, nil, "Bearer", nil),
            ("p\nauthtype=Bearer\ncredential=c=d", "p", nil, nil, "Bearer", "c=d"),
            ("p\r\noauth_refresh_token=t", "p\r", nil, "t", nil, nil),
        ] as [(String, String?, Int64?, String?, String?, String?)])
    func read(
        text: String, password: String?, expiry: Int64?, token: String?, authtype: String?,
        credential: String?
    ) {
        let login = LoginView(Login(text: Secret(text)))
        let expected = LoginView(
            password: password.map { ByteString($0) }, expiry: expiry,
            refreshToken: token.map { ByteString($0) }, authtype: authtype.map { ByteString($0) },
            credential: credential.map { ByteString($0) })
        #expect(login == expected)
    }
}
