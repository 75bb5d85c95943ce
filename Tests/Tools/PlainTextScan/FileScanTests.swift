import Foundation
import Glibc
import TestSupport
import LanyardSecrets
import Testing

@testable import PlainTextScan

/// The walk through folders.
@Suite("scanning folders", .timeLimit(.minutes(5)))
struct FileScanTests {
    private let folder: ScratchFolder
    private let secret = "Tr0ub4dor&3"

    init() throws {
        folder = try ScratchFolder()
    }

    private func makeFolder(_ name: String) throws -> String {
        let path = "\(folder.path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        return path
    }

    private func scan(
        _ paths: [String]? = nil, excluding: [String] = []
    ) throws -> (places: [String], counts: ScanCounts) {
        var secrets = SearchedSecrets()
        _ = secrets.add(Secret(secret), account: nil, item: 0)
        let found = SecretSearchTests.Found()
        let scan = FileScan(try secrets.finish(), excluding: excluding) { finding in
            found.findings.append(finding)
        }
        try scan.run(paths ?? [folder.path])
        let places = found.findings.map {
            "\($0.file):\($0.line)".replacing("\(folder.path)/", with: "")
        }
        return (places, scan.counts)
    }

    @Test func filesAreSearchedInTheOrderOfTheirNames() throws {
        _ = try makeFolder("b/c")
        _ = try folder.write("z", "\(secret)\n\(secret) \(secret)\n".utf8)
        _ = try folder.write("b/c/x", "one\ntwo \(secret)".utf8)
        _ = try folder.write("a", "nothing".utf8)
        let result = try scan()
        #expect(result.places == ["b/c/x:2", "z:1", "z:2"])
        #expect(result.counts.files == 3)
    }

    /// Links lead out of the folder or in circles; a given path may be one.
    @Test func linksAreNotFollowed() throws {
        let inner = try makeFolder("inner")
        _ = try folder.write("outside", secret.utf8)
        symlink("../outside", "\(inner)/link")
        symlink("..", "\(inner)/loop")
        symlink("/", "\(inner)/root")
        symlink(inner, "\(folder.path)/given")
        #expect(try scan([inner]).places == [])
        _ = try folder.write("inner/file", secret.utf8)
        #expect(try scan(["\(folder.path)/given"]).places == ["given/file:1"])
    }

    @Test func pipesAndSocketsAreNotOpened() throws {
        mkfifo("\(folder.path)/pipe", 0o600)
        let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listening) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array("\(folder.path)/socket".utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listening, $0, size) }
        }
        #expect(bound == 0)
        let result = try scan()
        #expect(result.places == [] && result.counts.files == 0)
        #expect(result.counts.unreadable == [])
    }

    @Test func largeFilesAreCounted() throws {
        let file = try folder.write("large", secret.utf8)
        truncate(file, 1 << 40)
        let result = try scan()
        #expect(result.places == [])
        #expect(result.counts.tooLarge == [ByteString(file)])
    }

    @Test func keychainsAndCompressedObjectsAreLeftOut() throws {
        let data = try makeFolder("data")
        _ = try folder.write("data/file", secret.utf8)
        for name in ["repository/.git/objects/pack", "repository/.git/refs", "objects"] {
            _ = try makeFolder(name)
        }
        _ = try folder.write("repository/.git/HEAD", "ref: refs/heads/main\n".utf8)
        _ = try folder.write("repository/.git/config", "token = \(secret)".utf8)
        _ = try folder.write("repository/.git/objects/pack/x", secret.utf8)
        _ = try folder.write("objects/x", secret.utf8)
        #expect(
            try scan(excluding: [data]).places == ["objects/x:1", "repository/.git/config:1"])
    }

    @Test func namesMayHaveAnyBytes() throws {
        let name = Array("\(folder.path)/".utf8) + [0xFF, 0x0A, 0xC3]
        let file = (name + [0]).withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                open($0.baseAddress!, O_CREAT | O_WRONLY, 0o600)
            }
        }
        try #require(file != -1)
        _ = secret.withCString { write(file, $0, 11) }
        close(file)
        var secrets = SearchedSecrets()
        _ = secrets.add(Secret(secret), account: nil, item: 0)
        let found = SecretSearchTests.Found()
        let scan = FileScan(try secrets.finish()) { finding in found.findings.append(finding) }
        try scan.run([folder.path])
        #expect(found.findings.map(\.file.bytes) == [name])
    }

    @Test func theKernelsFilesAreNotSearched() throws {
        #expect(try scan(["/proc", "/sys"]).counts.files == 0)
    }

    @Test func missingPathsAreErrors() throws {
        let missing = "\(folder.path)/missing"
        #expect(throws: KeychainError(.itemNotFound)) { try scan([folder.path, missing]) }
        #expect(throws: KeychainError(.param)) { try scan(["/dev/null"]) }
    }

    @Test func aFileHasALimitOfFindings() throws {
        _ = try folder.write("log", String(repeating: "\(secret)\n", count: 2_000).utf8)
        let result = try scan()
        #expect(result.places.count == FileScan.matchLimit)
        #expect(result.counts.cutShort.count == 1)
    }
}
