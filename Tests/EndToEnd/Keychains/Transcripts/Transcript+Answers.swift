@testable import EndToEndRig

extension Transcript {
    private static let ada = "protocol=https\nhost=example.com\nusername=ada\npassword=pw\n"
    private static let bob = "protocol=https\nhost=example.com\nusername=bob\npassword=pb\n"
    private static let anyone = "protocol=https\nhost=example.com\n"

    /// What matches what, and what is kept.
    static let answers = [
        Transcript("nothing is there, nothing is printed", "get", input: anyone),
        Transcript("erasing nothing makes no keychain", "erase", input: anyone),
        Transcript("an empty request", stored: [ada], "get"),
        Transcript("a request that ends at once", stored: [ada], "get", input: "\n\(anyone)"),
        Transcript("the first login makes a keychain", "store", input: ada, writes: true),
        Transcript(
            "what was stored is found", stored: [ada], "get", input: anyone,
            output: "username=ada\npassword=pw\n"),
        Transcript(
            "the last line needs no newline", stored: [ada], "get",
            input: "protocol=https\nhost=example.com", output: "username=ada\npassword=pw\n"),
        Transcript(
            "nothing is read beyond an empty line", stored: [ada], "get",
            input: "\(anyone)\nno request\n", output: "username=ada\npassword=pw\n"),
        Transcript(
            "unknown keys are ignored", stored: [ada], "get",
            input: "\(anyone)colour=red\nwwwauth[]=Basic realm=\"a=b\"\nlist[]=\n",
            output: "username=ada\npassword=pw\n"),
        Transcript(
            "a repeated host is refused", stored: [ada], "get",
            input: "host=example.org\n\(anyone)",
            error: "lanyard: error: line 3 of the request repeats the key 'host'\n", status: 1),
        Transcript(
            "a repeated password takes the last value", stored: [ada], "erase",
            input: "\(anyone)password=other\npassword=pw\n", writes: true),
        Transcript("erase needs a host", stored: [ada], "erase", input: "protocol=https\n"),
        Transcript("… and a protocol", stored: [ada], "erase", input: "host=example.com\n"),
        Transcript(
            "a value may contain '=' and blanks",
            stored: ["protocol=https\nhost=example.com\nusername=a=b\npassword= p=w \n"], "get",
            input: anyone, output: "username=a=b\npassword= p=w \n"),
        Transcript(
            "the latest account is answered", stored: [ada, bob], "get", input: anyone,
            output: "username=bob\npassword=pb\n"),
        Transcript(
            "… unless another is asked for", stored: [ada, bob], "get",
            input: "\(anyone)username=ada\n", output: "username=ada\npassword=pw\n"),
        Transcript(
            "storing what is there does not make it the latest", stored: [ada, bob, ada], "get",
            input: anyone, output: "username=bob\npassword=pb\n"),
        Transcript(
            "another password replaces the first",
            stored: [ada, ada.replacing("=pw", with: "=new")], "get", input: anyone,
            output: "username=ada\npassword=new\n"),
        Transcript("storing what is there writes nothing", stored: [ada], "store", input: ada),
        Transcript(
            "another port is another server", stored: [ada], "get",
            input: "protocol=https\nhost=example.com:8443\n"),
        Transcript(
            "… also the one that the protocol has anyway", stored: [ada], "get",
            input: "protocol=https\nhost=example.com:443\n"),
        Transcript(
            "the server is not the port's server",
            stored: ["protocol=https\nhost=example.com:8443\nusername=ada\npassword=pw\n"], "get",
            input: anyone),
        Transcript(
            "an IPv6 literal with a port",
            stored: ["protocol=http\nhost=[::1]:8080\nusername=ada\npassword=pw\n"], "get",
            input: "protocol=http\nhost=[::1]:8080\n", output: "username=ada\npassword=pw\n"),
        Transcript(
            "… is another server than the one without",
            stored: ["protocol=http\nhost=[::1]:8080\nusername=ada\npassword=pw\n"], "get",
            input: "protocol=http\nhost=[::1]\n"),
        Transcript(
            "another protocol is another server", stored: [ada], "get",
            input: "protocol=http\nhost=example.com\n"),
        Transcript(
            "part of a host is no host", stored: [ada], "get",
            input: "protocol=https\nhost=example.co\n"),
        Transcript(
            "a request with a path does not find a login without one", stored: [ada], "get",
            input: "\(anyone)path=notes.git\n"),
        Transcript(
            "a request without a path finds a login with one",
            stored: ["\(anyone)path=notes.git\nusername=ada\npassword=pw\n"], "get",
            input: anyone, output: "username=ada\npassword=pw\n"),
        Transcript(
            "an empty username is printed",
            stored: ["\(anyone)username=\npassword=pw\n"], "get", input: anyone,
            output: "username=\npassword=pw\n"),
        Transcript(
            "an absent one is not", stored: ["\(anyone)password=pw\n"], "get", input: anyone,
            output: "password=pw\n"),
        Transcript(
            "a certificate's passphrase has no host",
            stored: ["protocol=cert\nhost=\npath=/a.pem\npassword=pw\n"], "get",
            input: "protocol=cert\nhost=\npath=/a.pem\n", output: "password=pw\n"),
        Transcript("no password, nothing kept", "store", input: "\(anyone)username=ada\n"),
        Transcript(
            "no protocol, nothing kept", "store", input: "host=a\nusername=ada\npassword=pw\n"),
        Transcript(
            "no host, nothing kept", "store",
            input: "protocol=https\nusername=ada\npassword=pw\n"),
        Transcript("erase prints nothing", stored: [ada], "erase", input: anyone, writes: true),
        Transcript(
            "erase with another password leaves the login", stored: [ada], "erase",
            input: "\(anyone)username=ada\npassword=old\n"),
        Transcript(
            "erase with the password removes it", stored: [ada], "erase", input: ada, writes: true),
        Transcript("an empty erase erases nothing", stored: [ada], "erase"),
        Transcript(
            "a password that has expired is not answered",
            stored: ["\(ada)password_expiry_utc=100\noauth_refresh_token=again\n"], "get",
            input: anyone, output: "username=ada\noauth_refresh_token=again\n"),
        Transcript(
            "one that has not is, and its end",
            stored: ["\(ada)password_expiry_utc=9999999999\noauth_refresh_token=again\n"], "get",
            input: anyone,
            output: """
                username=ada
                password=pw
                password_expiry_utc=9999999999
                oauth_refresh_token=again

                """),
        Transcript(
            "a credential for those who can use it",
            stored: ["capability[]=authtype\n\(anyone)authtype=Bearer\ncredential=token\n"], "get",
            input: "capability[]=authtype\n\(anyone)",
            output: "capability[]=authtype\nauthtype=Bearer\ncredential=token\n"),
        Transcript(
            "… and for no other account",
            stored: ["capability[]=authtype\n\(anyone)authtype=Bearer\ncredential=token\n"], "get",
            input: anyone),
        Transcript(
            "an ephemeral credential is not kept", "store",
            input: "capability[]=authtype\n\(anyone)authtype=a\ncredential=b\nephemeral=1\n"),
    ]
}
