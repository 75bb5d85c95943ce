internal import Configuration
internal import KeychainServices

/// A step of a login, as pam_exec(8) describes it in the environment.
struct LoginStep: Equatable {
    /// The steps in which something happens.
    enum Kind: String {
        /// The user has entered the password, which is on standard input.
        case password = "auth"
        /// The session begins.
        case session = "open_session"
    }

    let kind: Kind
    /// The name of the user who logs in.
    let user: String

    /// The PAM services of programs that begin a user's session. Others check passwords too, such as
    /// sudo, screen lockers and mail servers; unlocking there costs time and helps no one.
    static let services = [
        "cockpit", "gdm-password", "greetd", "lightdm", "login", "lxdm", "ly", "plasmalogin",
        "remote",
        "sddm", "slim", "sshd", "su-l", "wdm", "xdm", "xrdp-sesman",
    ]

    /// Creates the step from the values of PAM_TYPE, PAM_SERVICE and PAM_USER.
    ///
    /// - Parameter services: More services that begin a session.
    /// - Returns: nil if nothing happens in this step.
    init?(type: String?, service: String?, user: String?, services: [String] = []) {
        guard let kind = type.flatMap(Kind.init), let service, let user,
            LoginStep.services.contains(service) || services.contains(service)
        else {
            return nil
        }
        self.kind = kind
        self.user = user
    }

    /// Returns the step that the environment describes, nil if nothing happens in it.
    static func ofEnvironment(services: [String]) throws(KeychainError) -> LoginStep? {
        LoginStep(
            type: try Environment.value("PAM_TYPE"),
            service: try Environment.value("PAM_SERVICE"),
            user: try Environment.value("PAM_USER"), services: services)
    }
}
