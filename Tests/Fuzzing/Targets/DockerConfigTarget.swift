import Foundation
import KeychainServices

@testable import ToolSetup

/// Docker's config.json as the set-up changes it: it stays JSON, has the entry then, and is the same
/// bytes again when the set-up is taken back.
enum DockerConfigTarget: FuzzTarget {
    static let name = "docker-config"

    static func run(_ input: [UInt8]) {
        guard let text = config(FileBytes(input)), !text.isSetUp else {
            return
        }
        _ = text.registryHelpers
        _ = text.registries
        let changed = text.settingUp
        guard let after = config(changed), after.isSetUp else {
            fail("a file that was set up is not, or can't be read")
        }
        if isJSON(input) {
            check(isJSON(Array(changed)), "a file that was set up is no JSON any more")
        }
        let undone = after.takingBack(text.credsStore)
        guard let left = config(undone) else {
            fail("a file that was taken back can't be read")
        }
        check(left.credsStore == text.credsStore, "what was there before is not there again")
        if text.credsStore != nil || !text.isEmpty {
            check(undone.elementsEqual(input), "taking the set-up back leaves something")
        }
    }

    private static func config(_ bytes: FileBytes) -> DockerConfigText? {
        attempt { () throws(KeychainError) in try DockerConfigText(bytes, path: "config.json") }
    }

    private static func isJSON(_ bytes: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(bytes))) != nil
    }
}
