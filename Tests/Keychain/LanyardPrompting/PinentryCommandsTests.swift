import Foundation
import Glibc
import KeychainServices
import TestSupport
import Testing

@testable import LanyardPrompting

/// Commands of gpg-agent, passed on to the user's own pinentry.
@Suite(.timeLimit(.minutes(5)))
struct PinentryCommandsTests {
    let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func stage(_ answer: String) -> Stage {
        var stage = Stage(folder)
        stage.scripts = [
            "pinentry": """
            echo OK hello
            while read -r line; do
                echo "$line" >>"$0.log"
                case $line in
                GETPIN | CONFIRM*) \(answer) ;;
                *bad*) echo ERR 83886254 ;;
                *) echo OK ;;
                esac
            done
            """
        ]
        return stage
    }

    @Test("the commands arrive as they are, and the answer comes back")
    func answers() async throws {
        let stage = stage("echo 'D 50%25'; echo OK")
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            let commands = ["OPTION ttyname=/dev/tty7", "OPTION bad", "SETDESC a%0Ab", "GETPIN"]
            switch try Pinentry.run(commands) {
            case .ok(let pin):
                let isSame = pin.isEqual(to: Secret("50%"))
                #expect(isSame)
            default: Issue.record("no answer")
            }
        }
        #expect(
            try String(contentsOfFile: "\(folder.path)/pinentry.log", encoding: .utf8) == """
                SETTIMEOUT 60
                OPTION ttyname=/dev/tty7
                OPTION bad
                SETDESC a%0Ab
                GETPIN
                BYE

                """)
    }

    @Test("an error keeps its number")
    func errors() async throws {
        let stage = stage("echo ERR 83886194 not confirmed")
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            switch try Pinentry.run(["OPTION ttyname=/dev/tty7", "CONFIRM --one-button"]) {
            case .error(let number): #expect(number == 83_886_194)
            default: Issue.record("no error")
            }
        }
    }

    @Test("one that only asks at a terminal needs one, and Lanyard's own asks no one")
    func unusable() async throws {
        let stage = stage("echo OK")
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            func isAsked(_ commands: [String]) throws -> Bool {
                switch try Pinentry.run(commands) {
                case .some: true
                case .none: false
                }
            }
            let terminal = "OPTION ttyname=/dev/tty7"
            #expect(try !isAsked([]) && !isAsked(["GETPIN"]))
            setenv("DISPLAY", ":0", 1)
            #expect(try isAsked(["GETPIN"]))
            for (name, isUsable) in [("pinentry-tty", true), ("lanyard-helper", false)] {
                let path = "\(stage.folder)/pinentry"
                rename(path, "\(stage.folder)/\(name)")
                symlink(name, path)
                #expect(try !isAsked(["GETPIN"]))
                #expect(try isAsked([terminal, "GETPIN"]) == isUsable)
                unlink(path)
                rename("\(stage.folder)/\(name)", path)
            }
        }
    }
}
