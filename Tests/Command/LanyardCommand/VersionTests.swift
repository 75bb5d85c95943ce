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
        let dependencies = manifest.matches(of: /\.package\(\s*url: "[^"]*\/([^"\/]+)"([^)]*)\)/)
        let pinned = dependencies.map { dependency in
            let version = dependency.output.2.firstMatch(of: /exact: "([0-9.]+)"/)?.output.1
            return "\(dependency.output.1) \(version ?? "is not pinned")"
        }
        #expect(!pinned.isEmpty)
        // Only tests use this one.
        let linked = pinned.filter { !$0.hasPrefix("swift-subprocess ") }
        #expect(VersionCommand.packages.map { "\($0.name) \($0.version)" } == linked)
    }
}
