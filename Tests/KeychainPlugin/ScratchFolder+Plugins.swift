import Foundation
import LinuxSystem
import ScratchFolders

extension ScratchFolder {
    /// Makes an executable.
    ///
    /// Another process writes it: what is open for writing here is so, too, for a moment, in each
    /// process that another test starts meanwhile, and can't be run then.
    func script(_ name: String, _ text: String) throws -> String {
        let path = path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path + ".text"))
        let copy = try SystemCalls.startProcess(
            "/bin/cp", [path + ".text", path], input: nil, output: 2, showsErrors: true)
        waitpid(copy, nil, 0)
        unlink(path + ".text")
        chmod(path, 0o755)
        return path
    }

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
