import Foundation
import Glibc
import TestSupport

extension ScratchFolder {
    func file(_ name: String) -> String { "\(path)/\(name)" }

    @discardableResult
    func write(_ text: String, to name: String, mode: mode_t = 0o600) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
        chmod(file(name), mode)
        return file(name)
    }

    /// What a file holds, nil if there is none.
    func text(_ name: String) -> String? {
        (try? Data(contentsOf: URL(filePath: file(name)))).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
    }
}
