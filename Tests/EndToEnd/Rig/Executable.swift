import Testing

/// Each program that is built, with what it can be made to do.
enum Executable: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case lanyard
    case git = "git-credential-lanyard"
    case docker = "docker-credential-lanyard"
    case plugin = "lanyard-keychain-secret-service"

    var name: String { rawValue }
    var testDescription: String { name }

    /// Lets it read a secret from its standard input and store it; the plugin, serve.
    var storing: [String] {
        switch self {
        case .lanyard: ["set", "example", "--stdin"]
        case .git, .docker: ["store"]
        case .plugin: []
        }
    }

    /// Lets it write a secret that it looked up.
    var getting: [String] {
        switch self {
        case .lanyard: ["get", "example"]
        case .git, .docker: ["get"]
        case .plugin: []
        }
    }

    /// What is stored in this way.
    func login(_ secret: String) -> String {
        switch self {
        case .lanyard: secret
        case .git: "protocol=https\nhost=example.com\nusername=ada\npassword=\(secret)\n"
        case .docker: #"{"ServerURL":"example.com","Username":"ada","Secret":"\#(secret)"}"#
        case .plugin: ""
        }
    }

    /// What is asked to get it.
    var question: String {
        switch self {
        case .lanyard, .plugin: ""
        case .git: "protocol=https\nhost=example.com\nusername=ada\n"
        case .docker: "example.com"
        }
    }

    /// Those that were built: the plugin can be left out.
    static var built: [Executable] {
        allCases.filter { $0 != .plugin || Programs.hasPlugin }
    }
}
