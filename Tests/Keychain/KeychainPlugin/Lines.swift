import Foundation
import LinuxSystem
import TestSupport

@testable import KeychainPlugin

/// What a plugin's Swift side answers to lines, byte by byte, as when it is tried by hand.
struct Lines {
    private let keychain: ServedStore
    private var input = Data()

    init(_ keychain: ServedStore = ServedStore()) {
        self.keychain = keychain
    }

    mutating func send(_ line: String) {
        input += Data("\(line)\n".utf8)
    }

    mutating func send(_ bytes: [UInt8]) {
        input += Data(bytes)
    }

    /// The answers to all lines, when the input has ended.
    func answers() -> [String] {
        guard let folder = try? ScratchFolder() else {
            return []
        }
        let files = ["\(folder.path)/input", "\(folder.path)/output"]
        _ = FileManager.default.createFile(atPath: files[0], contents: input)
        _ = FileManager.default.createFile(atPath: files[1], contents: nil)
        let input = Descriptor(owning: open(files[0], O_RDONLY | O_CLOEXEC))
        let output = Descriptor(owning: open(files[1], O_WRONLY | O_CLOEXEC))
        servePlugin(kind: "test", input: input.number, output: output.number) { _, _ in keychain }
        let text = folder.text("output") ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map(String.init)
    }
}
