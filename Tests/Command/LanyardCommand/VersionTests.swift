import Foundation
import LinuxSystem
import Testing

@testable import LanyardCommand
import TestSupport

@Suite("the versions that lanyard prints")
struct VersionTests {
    @Test("Swift packages are pinned exactly, and to what `lanyard version` says")
    func packages() throws {
        let manifest = try Repository.text("Package.swift")
        #expect(manifest.matches(of: /\.package\(\s*url:/).count == 1)
        #expect(manifest.contains("exact: version"))
        let dependencies = manifest.matches(
            of: /dependency\("([^"]+)", of: "[^"]+", "([0-9.]+)"/)
        let pinned = dependencies.map { "\($0.output.1) \($0.output.2)" }
        #expect(!pinned.isEmpty)
        // Only tests use this one.
        let linked = pinned.filter { !$0.hasPrefix("swift-subprocess ") }
        #expect(VersionCommand.packages.map { "\($0.name) \($0.version)" } == linked)
    }
}
