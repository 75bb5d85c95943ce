internal import CLinux
internal import Glibc
internal import LinuxSystem
package import LanyardSecrets

/// Looks for secrets in files and below folders.
///
/// It follows no symbolic link but a given path, and opens only regular files and folders: no pipe, socket
/// or device.
package final class FileScan {
    /// The bytes of the largest file that is searched: 256 MiB.
    package static let sizeLimit = 256 << 20
    /// How many matches of a file are reported.
    package static let matchLimit = 1_000

    /// What it looked at so far.
    package private(set) var counts = ScanCounts()

    private let search: SecretSearch
    private let excluded: Set<Identity>
    private let found: (ScanFinding) throws(KeychainError) -> Void

    /// A file or folder, whatever its path.
    private struct Identity: Hashable {
        let device: UInt64
        let number: UInt64

        init(_ status: stat) {
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
        }
    }

    private struct Place {
        let path: [UInt8]
        /// The file system of the folder that it is in, nil for a given path.
        let device: UInt64?
    }

    /// Prepares a scan.
    ///
    /// - Parameters:
    ///   - excluded: Folders to leave out, such as those of keychains.
    ///   - found: Gets each finding.
    package init(
        _ search: SecretSearch, excluding excluded: [String] = [],
        found: @escaping (ScanFinding) throws(KeychainError) -> Void
    ) {
        self.search = search
        self.excluded = Set(
            excluded.compactMap { path in (try? SystemCalls.lstat(path)).map(Identity.init) })
        self.found = found
    }

    /// Searches files, and all files below folders, sorted by name.
    ///
    /// - Parameter goesOn: Gets what was searched so far, after each file. Returns false to stop the scan.
    /// - Throws: ``Status/itemNotFound`` for a path that does not exist; ``Status/param`` for one that is
    ///   neither a file nor a folder; what the closure throws.
    package func run(
        _ paths: [String], while goesOn: (ScanCounts) -> Bool = { _ in true }
    ) throws(KeychainError) {
        for path in paths {
            try FileScan.check(path)
        }
        try FileSearch.with(search) { search throws(KeychainError) in
            for path in paths {
                // The last place comes first: the tree may be deep.
                var places = [Place(path: Array(path.utf8), device: nil)]
                while let place = places.popLast() {
                    try visit(place, search, &places)
                    guard goesOn(counts) else {
                        return counts.isStopped = true
                    }
                }
            }
        }
    }

    private static func check(_ path: String) throws(KeychainError) {
        let status: FileStatus
        do throws(SystemCallError) {
            status = try SystemCalls.statusBehindLinks(at: path)
        } catch {
            guard error.code == ENOENT || error.code == ENOTDIR else {
                throw error.keychainError("can't read '\(path)'")
            }
            throw LinkedFile.notFound(path)
        }
        guard status.kind == .file || status.kind == .folder else {
            throw KeychainError(.param, "'\(path)' is neither a file nor a folder")
        }
    }

    private func visit(
        _ place: Place, _ search: FileSearch, _ places: inout [Place]
    ) throws(KeychainError) {
        var result = FileSearch.Result()
        do throws(SystemCallError) {
            // A pipe that takes the name of a file meanwhile must not wait for its writer.
            let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | (place.device == nil ? 0 : O_NOFOLLOW)
            let file = Descriptor(owning: try FileScan.open(place.path, flags))
            let status = try SystemCalls.fstat(file.number)
            switch status.st_mode & S_IFMT {
            case S_IFREG:
                guard !excluded.contains(Identity(status)) else {
                    return
                }
                guard status.st_size <= FileScan.sizeLimit else {
                    counts.tooLarge.append(ByteString(place.path))
                    return
                }
                result = try search.result(
                    of: file.number, limit: FileScan.matchLimit, sizeLimit: FileScan.sizeLimit)
                counts.files += 1
                counts.bytes += result.size
            case S_IFDIR where !excluded.contains(Identity(status)):
                try enter(place, file, UInt64(status.st_dev), &places)
            default: break
            }
        } catch {
            // It may be deleted, or become a link, while the scan runs.
            if error.code != ENOENT, error.code != ELOOP {
                counts.unreadable.append(ByteString(place.path))
            }
        }
        try report(result.found, in: ByteString(place.path))
    }

    private func report(
        _ found: [FileSearch.Found], in file: ByteString
    ) throws(KeychainError) {
        let findings = ScanFinding.copies(in: file, found.map { ($0.line, $0.match) })
        for finding in findings {
            try self.found(finding)
        }
        if found.count >= FileScan.matchLimit {
            counts.cutShort.append(file)
        }
    }

    private func enter(
        _ place: Place, _ folder: borrowing Descriptor, _ device: UInt64, _ places: inout [Place]
    ) throws(SystemCallError) {
        if place.device != device {
            let kind = FileScan.fileSystem(place.path)
            guard !FileScan.withoutFiles.contains(kind) else {
                return
            }
            guard place.device == nil || !FileScan.ofOthers.contains(kind) else {
                counts.otherFileSystems.append(ByteString(place.path))
                return
            }
        }
        let entries = try FileScan.entries(of: folder)
        let names = Set(entries.map(\.name))
        let isRepository = ["HEAD", "refs", "objects"].allSatisfy {
            names.contains(Array($0.utf8))
        }
        for entry in entries.sorted(by: { $1.name.lexicographicallyPrecedes($0.name) })
        where !isRepository || entry.name != Array("objects".utf8) {
            let slash = place.path.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
            let path = place.path + slash + entry.name
            guard try entry.isWanted(at: path) else {
                continue
            }
            places.append(Place(path: path, device: device))
        }
    }

    /// File systems that show the kernel's state as files: statfs(2).
    private static let withoutFiles: Set<UInt32> = [
        0x9FA0, 0x6265_6572, 0x0027_E0EB, 0x6367_7270, 0x6462_6720, 0x7472_6163, 0x7363_6673,
        0x1CD1, 0xCAFE_4A11, 0x6165_676C, 0xDE5E_81E4, 0xF97C_FF8C, 0x6265_6570, 0x6573_5543,
        0x4249_4E4D, 0x1980_0202, 0x6E73_6673,
    ]

    /// NFS, SMB in two forms, FUSE and mounts on demand: any of them may wait for others.
    private static let ofOthers: Set<UInt32> = [
        0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546, 0x0187,
    ]

    private static func fileSystem(_ path: [UInt8]) -> UInt32 {
        // Safe: the path ends with NUL, and lives for the call.
        unsafe withPath(path) { path in
            unsafe lanyard_file_system_kind(path)
        }
    }
}

/// A name in a folder.
private struct FolderEntry {
    let name: [UInt8]
    /// Its kind, DT_UNKNOWN on some file systems.
    let kind: UInt8

    /// Whether it is a regular file or a folder.
    func isWanted(at path: [UInt8]) throws(SystemCallError) -> Bool {
        switch Int(kind) {
        case Int(DT_REG), Int(DT_DIR): return true
        case Int(DT_UNKNOWN):
            var status = stat()
            // Safe: the path ends with NUL; it and the variable live for the call.
            let result = unsafe withPath(path) { unsafe lstat($0, &status) }
            let kind = status.st_mode & S_IFMT
            return result == 0 && (kind == S_IFREG || kind == S_IFDIR)
        default: return false
        }
    }
}

extension FileScan {
    /// Opens a path of any bytes. The corresponding C function is `open`.
    fileprivate static func open(_ path: [UInt8], _ flags: Int32) throws(SystemCallError) -> Int32 {
        try SystemCalls.perform("open") {
            // Safe: the path ends with NUL, and lives for the call.
            unsafe withPath(path) { unsafe Glibc.open($0, flags | O_CLOEXEC) }
        }
    }

    /// Returns what is in a folder. The corresponding C function is `readdir`.
    fileprivate static func entries(
        of folder: borrowing Descriptor
    ) throws(SystemCallError) -> [FolderEntry] {
        let number = folder.number
        let copy = try SystemCalls.perform("dup") { fcntl(number, F_DUPFD_CLOEXEC, 0) }
        // Safe: the descriptor is open, and belongs to the stream from here on.
        guard let stream = unsafe fdopendir(copy) else {
            let code = errno
            SystemCalls.close(copy)
            throw SystemCallError(call: "fdopendir", code: code)
        }
        // Safe: closed once, after its last use.
        defer { unsafe closedir(stream) }
        var entries: [FolderEntry] = []
        // Safe: an entry is valid until the next call on the stream; its name ends with NUL within its 256
        // bytes, and is copied.
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe bytes.prefix { $0 != 0 }.map { $0 }
            }
            if name != [0x2E], name != [0x2E, 0x2E] {
                unsafe entries.append(FolderEntry(name: name, kind: entry.pointee.d_type))
            }
        }
        return entries
    }
}

/// Lends a path as a C string.
private func withPath<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    // Safe: the copy ends with NUL, and lives for the call.
    unsafe (path + [0]).withUnsafeBufferPointer { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe body($0.baseAddress!) }
    }
}
