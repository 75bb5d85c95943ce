import Testing

/// A config.json, and what the setup makes of it.
struct DockerConfigCase: Sendable, CustomTestStringConvertible {
    /// The file's text, nil for no file.
    let text: String?
    /// The text then; equal to `text` if it is set up already.
    let then: String

    init(_ text: String?, _ then: String) {
        self.text = text
        self.then = then
    }

    var testDescription: String { text ?? "no file" }
}

private let fresh = "{\n\t\"credsStore\": \"lanyard\"\n}\n"

let oddDockerConfigs: [DockerConfigCase] = [
    .init(nil, fresh),
    .init("", fresh),
    .init(" \n\t\n", fresh),
    .init("{}", fresh),
    .init("{}\n", fresh),
    .init("\n { \n } \n", fresh),
    .init("{\r\n}\r\n", "{\r\n\t\"credsStore\": \"lanyard\"\r\n}\r\n"),
    .init("{\"a\":1}", "{\"a\":1,\"credsStore\":\"lanyard\"}"),
    .init("{\"a\": 1, \"b\": 2}", "{\"a\": 1, \"b\": 2, \"credsStore\": \"lanyard\"}"),
    .init("{ \"a\" : 1 }", "{ \"a\" : 1, \"credsStore\": \"lanyard\" }"),
    .init(
        "{\n\t\"auths\": {}\n}", "{\n\t\"auths\": {},\n\t\"credsStore\": \"lanyard\"\n}"),
    .init(
        "{\n    \"auths\": {}\n}\n", "{\n    \"auths\": {},\n    \"credsStore\": \"lanyard\"\n}\n"),
    .init(
        "{\r\n  \"auths\": {}\r\n}\r\n",
        "{\r\n  \"auths\": {},\r\n  \"credsStore\": \"lanyard\"\r\n}\r\n"),
    .init("{\n\"a\":\n1\n}", "{\n\"a\":\n1,\n\"credsStore\":\n\"lanyard\"\n}"),
    .init("\t{\"a\":[]}\n\n\n", "\t{\"a\":[],\"credsStore\":\"lanyard\"}\n\n\n"),
    .init("{\"credsStore\":\"desktop\"}", "{\"credsStore\":\"lanyard\"}"),
    .init("{\"credsStore\" : \"\"  }", "{\"credsStore\" : \"lanyard\"  }"),
    .init("{\"credsStore\":null,\"x\":1}", "{\"credsStore\":\"lanyard\",\"x\":1}"),
    .init("{\"credsstore\": \"pass\"}", "{\"credsstore\": \"lanyard\"}"),
    .init("{\"creds\\u0053tore\": \"p\\\"q\"}", "{\"creds\\u0053tore\": \"lanyard\"}"),
    .init("{\"credsStore\": \"lanyard\"}", "{\"credsStore\": \"lanyard\"}"),
    .init(
        "{\"a\":{\"credsStore\":\"x\"}}",
        "{\"a\":{\"credsStore\":\"x\"},\"credsStore\":\"lanyard\"}"),
    .init(
        "{\"a\":\"credsStore\\\": \\\"x\"}",
        "{\"a\":\"credsStore\\\": \\\"x\",\"credsStore\":\"lanyard\"}"),
    .init("{\"a\":\"}\\\\\"}", "{\"a\":\"}\\\\\",\"credsStore\":\"lanyard\"}"),
    .init(
        "{\"a\":[1,-0.5e+7,true,false,null,{},[[]],\"\\u00e9\\n\"]}",
        "{\"a\":[1,-0.5e+7,true,false,null,{},[[]],\"\\u00e9\\n\"],\"credsStore\":\"lanyard\"}"),
    .init(
        "{\"psFormat\":\"table {{.ID}}\\t{{.Names}}\",\"HttpHeaders\":{\"X\":\"ü\"}}",
        "{\"psFormat\":\"table {{.ID}}\\t{{.Names}}\",\"HttpHeaders\":{\"X\":\"ü\"},\"credsStore\":\"lanyard\"}"
    ),
    .init(
        "{\"auths\":{\"r\":{\"auth\":\"bWU6cHc=\"}},\"credHelpers\":{\"gcr.io\":\"gcloud\"}}",
        "{\"auths\":{\"r\":{\"auth\":\"bWU6cHc=\"}},\"credHelpers\":{\"gcr.io\":\"gcloud\"},\"credsStore\":\"lanyard\"}"
    ),
    .init("{\"\":\"\"}", "{\"\":\"\",\"credsStore\":\"lanyard\"}"),
]

/// Texts that are not one JSON object, or whose `credsStore` can't be told.
let brokenDockerConfigs = [
    "[]", "null", "\"x\"", "{", "}", "{}}", "{} x", "{\"a\":1,}", "{\"a\"}", "{\"a\":}", "{a:1}",
    "{'a':1}", "{\"a\":01}", "{\"a\":1.}", "{\"a\":+1}", "{\"a\":.5}", "{\"a\":NaN}",
    "{\"a\":tru}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12g4\"}", "{\"a\":\"\n\"}", "{\"a\":\"",
    "{\"a\":1 // c\n}",
    "\u{FEFF}{}", "{\"credsStore\":5}", "{\"credsStore\":[\"x\"]}",
    "{\"credsStore\":\"a\",\"credsstore\":\"b\"}",
    "{\"a\":[1,]}", "{\"a\":[1 2]}", "{,}", "hunter2", "{\"a\":1,\"a\":2}",
    "{\"a\":\(String(repeating: "[", count: 1000))\(String(repeating: "]", count: 1000))}",
]
