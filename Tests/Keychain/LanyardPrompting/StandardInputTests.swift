import Foundation
import Glibc
import KeychainServices
import Testing

@testable import LanyardPrompting

/// Standard input in non-blocking mode, which another program with the same open file may have set.
@Suite("standard input", .timeLimit(.minutes(5))) struct StandardInputTests {
    @Test func linesComeLate() async {
        await #expect(processExitsWith: .success) {
            makeInput("one\ntwo\n")
            let input = InputLines()
            for expected in ["one", "two"] {
                guard let line = try input.next() else {
                    Issue.record("there is no line")
                    return
                }
                #expect(text(line) == expected)
            }
        }
    }

    @Test func aSecretComesLate() async {
        await #expect(processExitsWith: .success) {
            makeInput("the secret\n")
            let secret = text(try readStandardInput(limit: 1 << 20))
            #expect(secret == "the secret")
        }
    }
}

/// Makes standard input a pipe that does not block, in which a text comes in two parts.
private func makeInput(_ content: String) {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    #expect(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
    dup2(ends[0], 0)
    let writer = ends[1]
    Thread.detachNewThread {
        for part in [content.prefix(3), content.dropFirst(3)] {
            usleep(100_000)
            let bytes = Array(part.utf8)
            _ = write(writer, bytes, bytes.count)
        }
        close(writer)
    }
}
