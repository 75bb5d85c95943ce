import Foundation
import KeychainServices

@testable import ItemImport

/// The logins in docker's config.json: it stays JSON when they are cut out.
enum DockerAuthsTarget: FuzzTarget {
    static let name = "docker-auths"

    static func run(_ input: [UInt8]) {
        guard let entries = ImportedEntries(DockerConfigFile(), input, group: "docker") else {
            return
        }
        // An entry that was skipped for an earlier one of its place is an item without that.
        entries.checkCutting(DockerConfigFile(), input, group: "docker", leavesSkipped: false)
        check(
            input.mayHoldHugeNumber
                || (try? JSONSerialization.jsonObject(with: Data(input))) != nil,
            "what is no JSON is accepted")
    }
}
