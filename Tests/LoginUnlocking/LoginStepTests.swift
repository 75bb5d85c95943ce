import Testing

@testable import LoginUnlocking

@Suite("Step of a login") struct LoginStepTests {
    @Test(arguments: LoginStep.services) func loginsUnlock(_ service: String) {
        let password = LoginStep(type: "auth", service: service, user: "ada")
        #expect(password?.kind == .password)
        #expect(password?.user == "ada")
        let session = LoginStep(type: "open_session", service: service, user: "ada")
        #expect(session?.kind == .session)
    }

    @Test(arguments: [
        "sudo", "sudo-i", "su", "swaylock", "i3lock", "xscreensaver", "cron", "polkit-1", "",
        "LOGIN",
    ])
    func othersDoNot(_ service: String) {
        #expect(LoginStep(type: "auth", service: service, user: "ada") == nil)
        #expect(
            LoginStep(type: "auth", service: service, user: "ada", services: [service]) != nil)
    }

    @Test(arguments: ["account", "close_session", "password", "setcred", "", "AUTH"])
    func otherStepsDoNothing(_ type: String) {
        #expect(LoginStep(type: type, service: "login", user: "ada") == nil)
    }

    @Test func whatIsMissingIsNoStep() {
        #expect(LoginStep(type: nil, service: "login", user: "ada") == nil)
        #expect(LoginStep(type: "auth", service: nil, user: "ada") == nil)
        #expect(LoginStep(type: "auth", service: "login", user: nil) == nil)
    }

    @Test func servicesAreTheValuesOfTheOption() {
        #expect(LoginUnlocking.services(in: []) == [])
        #expect(LoginUnlocking.services(in: ["--service"]) == [])
        #expect(
            LoginUnlocking.services(in: ["--service", "a", "other", "--service", "b"])
                == ["a", "b"])
    }
}
