internal import LinuxSystem
internal import LanyardSecrets

/// A team's file that is open, and where everything in it is. A put replaces the file: this one stays as it was.
final class TeamFile {
    private let file: PrivateFile
    /// The file as it was when it was opened, nil if that is not known.
    let version: FileVersion?
    private(set) var state = ServerState()

    /// Reads where everything is.
    ///
    /// - Throws: As ``ServerState/init(_:)``.
    init(_ file: consuming PrivateFile, _ version: FileVersion?) throws(KeychainError) {
        self.file = file
        self.version = version
        var reader = try ChunkReader(self.file.size) { [self] count, offset throws(KeychainError) in
            try read(count, at: offset)
        }
        state = try ServerState(&reader)
    }

    /// Reads bytes from an offset: fewer than this number only at the file's end.
    func read(_ count: Int, at offset: Int) throws(KeychainError) -> [UInt8] {
        try file.read(count, at: offset)
    }

    /// Reads a content.
    ///
    /// - Throws: ``Status/decode`` if the file has become shorter.
    func read(_ content: ServerState.Content) throws(KeychainError) -> [UInt8] {
        switch content {
        case .stored(let offset, let size):
            let bytes = try read(size, at: offset)
            guard bytes.count == size else {
                throw KeychainError(.decode)
            }
            return bytes
        case .new(let bytes): return bytes
        }
    }
}
