import Foundation
import KeychainServices
import Testing

@testable import ToolSetup

@Suite("other vendors' programs")
struct ForeignProgramTests {
    @Test("a program gets no variable but those that it is meant to get")
    func variables() throws {
        let environment = SetupEnvironment(
            variables: ["A": "a", "B": "b"], stateFolder: "/nowhere")
        let answer = try ForeignProgram("/usr/bin/env", environment)
            .run([], variables: ["B": nil, "C": "c"])
        let lines = answer.output.name.split(separator: "\n").sorted()
        #expect(lines == ["A=a", "C=c", "LANYARD_NO_PROMPT=1", "LC_ALL=C"])
    }

    @Test(
        "a program that writes without end is killed, without waiting for its time limit",
        arguments: ["exec yes", "exec yes >&2", "yes"])
    func endlessOutput(script: String) throws {
        let home = try SetupHome(programs: ["yes"])
        try home.script("endless", script)
        let program = ForeignProgram("endless", home.environment, timeLimit: 600_000)
        let error = failure { _ = try program.run([]) }
        #expect(error?.status == .notAvailable)
        #expect(error?.reason == "the output of endless is too large")
    }

    @Test("a program that ends after too much output")
    func largeOutput() throws {
        let home = try SetupHome(programs: [])
        try home.script("large", "echo 123456789")
        let limited = ForeignProgram("large", home.environment, outputLimit: 9)
        #expect(failure { _ = try limited.run([]) }?.reason == "the output of large is too large")
        let program = ForeignProgram("large", home.environment, outputLimit: 10)
        #expect(try program.run([]).output == "123456789\n")
    }

    @Test("a program that did not answer is not asked again")
    func silentPrograms() throws {
        let home = try SetupHome(programs: [])
        try home.script("hanging", "echo >>\"$0.log\"; exec sleep 600")
        var environment = home.environment
        environment.silent = SilentPrograms()
        let program = ForeignProgram("hanging", environment, timeLimit: 1_000)
        #expect(failure { _ = try program.run([]) }?.reason == "hanging did not finish in time")
        #expect(failure { _ = try program.run([]) }?.reason == "hanging does not answer")
        let path = try #require(environment.path(ofProgram: "hanging"))
        #expect(environment.silent?.paths == [path])
        // On a busy machine it may not even have begun.
        let log = (try? String(contentsOfFile: "\(path).log", encoding: .utf8)) ?? ""
        #expect(log.count <= 1)
    }
}
