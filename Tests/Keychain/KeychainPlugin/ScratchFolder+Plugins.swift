import Foundation
import TestSupport

extension ScratchFolder {
    func text(_ name: String) -> String? {
        try? String(contentsOfFile: path + "/" + name, encoding: .utf8)
    }
}

/// The text of a plugin that lies beside the tests.
func sourceOfPlugin(_ name: String) throws -> String {
    try Repository.text("Tests/Keychain/KeychainPlugin/Plugins/\(name)")
}
