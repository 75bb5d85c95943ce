import Foundation
import ScratchFolders

extension ScratchFolder {
    func text(_ name: String) -> String? {
        try? String(contentsOfFile: path + "/" + name, encoding: .utf8)
    }
}

/// The text of a plugin that lies beside the tests.
func sourceOfPlugin(_ name: String) throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return try String(
        contentsOf: folder.appendingPathComponent("Plugins/\(name)"), encoding: .utf8)
}
