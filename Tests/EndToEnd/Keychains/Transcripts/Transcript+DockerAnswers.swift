@testable import EndToEndRig

extension Transcript {
    private static let notFound = "credentials not found in native keychain\n"
    private static let noURL = "no credentials server URL\n"

    /// A login as `store` takes it and `get` prints it.
    private static func login(
        _ url: String = "example.com", _ user: String = "ada", _ secret: String = "pw"
    ) -> String {
        #"{"ServerURL":"\#(url)","Username":"\#(user)","Secret":"\#(secret)"}"# + "\n"
    }

    private static let ada = login()
    private static let bob = login("example.com", "bob", "pb")

    /// What docker's helper reads and writes.
    static let dockerAnswers = ofDocker([
        Transcript(
            "nothing is there, and no file is made", "get", input: "a", output: notFound,
            status: 1),
        Transcript("nothing is listed, and no file is made", "list", output: "{}\n"),
        Transcript("erasing nothing is no error, and makes no file", "erase", input: "a"),
        Transcript("the first login makes a keychain", "store", input: ada, writes: true),
        Transcript(
            "what was stored is found", stored: [ada], "get", input: "example.com", output: ada),
        Transcript(
            "a URL has white space around it", stored: [ada], "get",
            input: " \t example.com \r\n\n", output: ada),
        Transcript(
            "another server has no login", stored: [ada], "get", input: "example.org",
            output: notFound, status: 1),
        Transcript("a URL is needed", stored: [ada], "get", output: noURL, status: 1),
        Transcript(
            "… and a blank one is none", stored: [ada], "get", input: " \n\t\r\n", output: noURL,
            status: 1),
        Transcript("… also to erase", stored: [ada], "erase", output: noURL, status: 1),
        Transcript(
            "… no blank one either", stored: [ada], "erase", input: "\n", output: noURL, status: 1),
        Transcript(
            "names of members have no letter case, and others don't matter", "store",
            input: #" { "serverurl" : "a", "USERNAME":"b","secret":"c","colour":[1,{"d":null}]} "#,
            writes: true),
        Transcript(
            "they are printed as docker has them",
            stored: [#"{"secret":"c","username":"b","serverurl":"a"}"#], "get", input: "a",
            output: login("a", "b", "c")),
        Transcript(
            "no secret is an empty one", stored: [#"{"ServerURL":"a","Username":"b"}"#], "get",
            input: "a", output: login("a", "b", "")),
        Transcript(
            "an empty one is kept", stored: [login("a", "b", "")], "get", input: "a",
            output: login("a", "b", "")),
        Transcript(
            "an identity token's user is kept", stored: [login("a", "<token>", "t")], "get",
            input: "a", output: login("a", "<token>", "t")),
        Transcript(
            "escapes are what they stand for",
            stored: [login("a", #"\u0062\u003c"#, #"\/\u00e9\ud83d\udd11\u0041"#)], "get",
            input: "a", output: login("a", "b<", "/é🔑A")),
        Transcript(
            "control characters are escaped again",
            stored: [login("a", "b", #"\"\\\u0000\u001b\b\f\n\r\t\u007f"#)], "get", input: "a",
            output: login("a", "b", #"\"\\\u0000\u001b\b\f\n\r\t\u007f"#)),
        Transcript(
            "another password replaces the first",
            stored: [ada, login("example.com", "ada", "new")], "get", input: "example.com",
            output: login("example.com", "ada", "new")),
        Transcript(
            "the latest user is answered", stored: [ada, bob], "get", input: "example.com",
            output: bob),
        Transcript(
            "storing what is there makes it the answer", stored: [ada, bob, ada], "get",
            input: "example.com", output: ada),
        Transcript(
            "… and writes nothing where it was", stored: [bob, ada], "store", input: ada),
        Transcript(
            "the list has one user for a URL", stored: [ada, bob], "list",
            output: #"{"example.com":"bob"}"# + "\n"),
        Transcript(
            "… the one that get answers", stored: [ada, bob, ada], "list",
            output: #"{"example.com":"ada"}"# + "\n"),
        Transcript(
            "the list is sorted, each URL as it was stored",
            stored: [
                login("https://b.example/"), login("B.example"), login("a.example:5000"),
                login("https://index.docker.io/v1/"), login("a.example/x"),
            ], "list",
            output: #"{"B.example":"ada","a.example/x":"ada","a.example:5000":"ada","#
                + #""https://b.example/":"ada","https://index.docker.io/v1/":"ada"}"# + "\n"),
        Transcript(
            "the list reads no input", stored: [ada], "list", input: "no request",
            output: #"{"example.com":"ada"}"# + "\n"),
        Transcript(
            "erase prints nothing", stored: [ada], "erase", input: "example.com\n", writes: true),
        Transcript(
            "erase with another URL leaves the login", stored: [ada], "erase",
            input: "example.org"),
        Transcript(
            "erase removes all users", stored: [ada, bob], "erase", input: "example.com",
            writes: true),
        Transcript(
            "what still answers is named",
            stored: [ada, login("example.com/team", "bot", "t")], "erase", input: "example.com",
            error: """
                lanyard: hint: the login for 'example.com/team' stays and also answers for \
                'example.com'

                """, writes: true),
        Transcript(
            "… also where nothing is erased", stored: [ada], "erase", input: "example.com/team",
            error: """
                lanyard: hint: the login for 'example.com' stays and also answers for \
                'example.com/team'

                """),
    ])
}
