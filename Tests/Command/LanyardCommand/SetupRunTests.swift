import Foundation
import LinuxSystem
import TestSupport
import Testing
import ToolSetup

@testable import LanyardCommand

@Suite("the setup of every installed tool")
struct SetupRunTests {
    @Test("a tool whose file can't be changed after all is named, and so are the others")
    func failedParts() throws {
        let home = try ScratchFolder()
        try FileManager.default.createDirectory(
            atPath: "\(home.path)/bin", withIntermediateDirectories: false)
        for (name, script) in [("docker", "exit 1"), ("docker-credential-lanyard", "exit 1")] {
            try ScratchFolder.writeScript("#!/bin/sh\n\(script)\n", to: "\(home.path)/bin/\(name)")
        }
        let environment = SetupEnvironment(
            variables: ["HOME": home.path, "PATH": "\(home.path)/bin"],
            stateFolder: "\(home.path)/state")
        var setup = try SetupRun(environment)
        SystemCalls.$injectedError.withValue({ $0 == "mkdir" ? ENOSPC : nil }) { setup.apply() }
        #expect(
            setup.result.text(for: nil).hasPrefix(
                "error     docker is not set up: can't make the folder '\(home.path)/"),
            "\(setup.result.text(for: nil))")
    }
}
