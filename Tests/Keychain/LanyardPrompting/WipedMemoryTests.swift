import Foundation
import Glibc
import KeychainServices
import TestSupport
import Testing

@testable import LanyardPrompting

/// That an answer leaves no copy of itself in memory.
@Suite(.serialized, .timeLimit(.minutes(5))) struct WipedMemoryTests {
    @Test func program() throws {
        let word = OwnMemory.Pattern.randomWord()
        let folder = try ScratchFolder()
        word.write("SECRET\n", to: "\(folder.path)/word")
        do {
            let answer = try AskedProgram(
                "cat", path: "/bin/cat", ["\(folder.path)/word"], timeLimit: 60
            ).answer(limit: 1024)
            let count = answer.text.count
            #expect(count == word.count + 1)
            #expect(OwnMemory.count(word) > 0)
        }
        #expect(OwnMemory.count(word) == 0)
    }

    /// The process that asks has the word from a file alone.
    @Test func pinentry() async throws {
        let folder = try ScratchFolder()
        var stage = Stage(folder)
        stage.variables = ["DISPLAY": ":0"]
        stage.scripts = [
            "pinentry": """
            echo OK hello
            while read -r line; do
                case $line in GETPIN) cat "${0%/*}/word" ;; esac
                echo OK
            done
            """
        ]
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            try stage.enter()
            let word = OwnMemory.Pattern.randomWord()
            word.write("D SECRET\n", to: "\(stage.folder)/word")
            do {
                guard let answer = try Pinentry.ask(.sample()) else {
                    Issue.record("nothing was asked")
                    return
                }
                let count = answer.count
                #expect(count == word.count)
                #expect(OwnMemory.count(word) > 0)
            }
            #expect(OwnMemory.count(word) == 0)
        }
    }

    @Test func terminal() async throws {
        let stage = Stage(try ScratchFolder())
        await #expect(processExitsWith: .success) { [stage = stage as Stage] in
            var ends: (user: Int32, programs: Int32) = (-1, -1)
            try #require(openpty(&ends.user, &ends.programs, nil, nil, nil) == 0)
            var stage = stage
            stage.terminal = ttyname(ends.programs).map { String(cString: $0) }
            try stage.enter()
            let word = OwnMemory.Pattern.randomWord()
            typeSoon(word, at: ends.user)
            do {
                let answer = try askForSecret(prompt: "secret: ", hint: "hint")
                let count = answer.count
                #expect(count == word.count)
                #expect(OwnMemory.count(word) > 0)
            }
            #expect(OwnMemory.count(word) == 0)
        }
    }
}

/// Types a word at a terminal when it no longer shows what is typed.
private func typeSoon(_ word: OwnMemory.Pattern, at user: Int32) {
    Thread.detachNewThread {
        var settings = termios()
        repeat {
            usleep(10_000)
        } while tcgetattr(user, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
        word.forEachByte(of: "SECRET\n") { byte in
            var byte = byte
            _ = Glibc.write(user, &byte, 1)
        }
    }
}
