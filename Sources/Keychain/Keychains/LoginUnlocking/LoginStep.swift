internal import LinuxSystem

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

    /// Creates the step that variables describe, nil if nothing happens in it.
    ///
    /// - Parameter values: Returns all values of a variable. If it has several, the login has set one itself, as by
    ///   a user's settings for pam_env, and programs disagree which one counts.
    init?(services: [String], valuesOf values: (String) -> [String]) {
        func value(_ name: String) -> String? {
            let values = values(name)
            return values.count == 1 ? values[0] : nil
        }
        self.init(
            type: value("PAM_TYPE"), service: value("PAM_SERVICE"), user: value("PAM_USER"),
            services: services)
    }

    /// Returns the step that the environment describes, nil if nothing happens in it.
    static func ofEnvironment(services: [String]) -> LoginStep? {
        LoginStep(services: services, valuesOf: SystemCalls.values(ofVariable:))
    }
}
