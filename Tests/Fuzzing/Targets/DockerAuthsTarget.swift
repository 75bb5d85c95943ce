import Foundation
import KeychainServices

@testable import LanyardTransfer

/// The logins in docker's config.json: it stays JSON when they are cut out.
enum DockerAuthsTarget: FuzzTarget {
    static let name = "docker-auths"

    static func run(_ input: [UInt8]) {
        guard let entries = ImportedEntries(DockerConfigFile(), input, group: "docker") else {
            return
        }
        // An entry that was skipped for an earlier one of its place is an item without that.
        entries.checkCutting(DockerConfigFile(), input, group: "docker", leavesSkipped: false)
        // docker treats a blank file as an empty object.
        let text = input.dropFirst(input.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        let isBlank = text.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
        check(
            input.mayHoldHugeNumber || isBlank
                || (try? JSONSerialization.jsonObject(with: Data(input))) != nil,
            "what is no JSON is accepted")
    }
}
