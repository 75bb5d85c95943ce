import Glibc
import Testing

@testable import LinuxSystem
@testable import Keychains

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

    /// What the login has set itself comes before what pam_exec sets.
    @Test func aVariableWithSeveralValuesIsNoStep() {
        var variables = ["PAM_TYPE": ["auth"], "PAM_SERVICE": ["login"], "PAM_USER": ["ada"]]
        #expect(LoginStep(services: []) { variables[$0] ?? [] }?.user == "ada")
        for (name, other) in ["PAM_TYPE": "open_session", "PAM_SERVICE": "sshd", "PAM_USER": "bob"]
        {
            let own = variables[name] ?? []
            for values in [[other] + own, own + [other], own + own, []] {
                variables[name] = values
                #expect(LoginStep(services: []) { variables[$0] ?? [] } == nil, "\(variables)")
            }
            variables[name] = own
        }
    }

    @Test func allValuesOfAVariableAreRead() async {
        await #expect(processExitsWith: .success) {
            let entries = ["PAM_USERS=eve", "PAM_USER=eve", "OTHER=x", "PAM_USER=ada", "PAM_USER"]
            for (index, entry) in entries.enumerated() {
                setenv("PLACE_\(index)", "", 1)
                environ[index] = strdup(entry)
            }
            #expect(SystemCalls.values(ofVariable: "PAM_USER") == ["eve", "ada"])
            #expect(SystemCalls.values(ofVariable: "PAM_TYPE") == [])
        }
    }

    @Test func servicesAreTheValuesOfTheOption() {
        #expect(LoginUnlocking.services(in: []) == [])
        #expect(LoginUnlocking.services(in: ["--service"]) == [])
        #expect(
            LoginUnlocking.services(in: ["--service", "a", "other", "--service", "b"])
                == ["a", "b"])
    }
}
