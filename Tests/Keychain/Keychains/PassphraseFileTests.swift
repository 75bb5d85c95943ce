import TestSupport
import Foundation
import Glibc
import KeychainServices
import Testing

@testable import Keychains

@Suite("a passphrase from a file", .timeLimit(.minutes(5)))
struct PassphraseFileTests {
    let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private static let contents: [(String, String)] = [
        ("pass", "pass"), ("pass\n", "pass"), ("pass\n\n", "pass\n"), ("pass\r\n", "pass\r"),
        ("two\nlines\n", "two\nlines"), (" ä \n", " ä "), ("a\0b", "a\0b"), ("\n\n", "\n"),
    ]

    @Test("all bytes without one newline", arguments: contents)
    func content(content: String, passphrase: String) throws {
        let file = try folder.write("p", content.utf8)
        #expect(try read(file) == passphrase)
        let descriptor = try TestDescriptor(file)
        #expect(try read("\(descriptor.number)") == passphrase)
        let pipe = try TestDescriptor(piping: content)
        #expect(try read("\(pipe.number)") == passphrase)
    }

    @Test("a limit of 1024 bytes, without the newline", arguments: [false, true])
    func limit(endsLine: Bool) throws {
        for (count, isTooLong) in [(1024, false), (1025, true), (100_000, true)] {
            let text = String(repeating: "p", count: count)
            let file = try folder.write("p", "\(text)\(endsLine ? "\n" : "")".utf8)
            let descriptor = try TestDescriptor(file)
            for place in [file, "\(descriptor.number)"] {
                if isTooLong {
                    expect(.dataTooLarge, place, "is longer than 1024 bytes")
                } else {
                    #expect(try read(place) == text)
                }
            }
        }
    }

    @Test func aDescriptorIsReadFromItsStartAgainAndAgain() throws {
        let descriptor = try TestDescriptor(try folder.write("p", "pass\n".utf8))
        lseek(descriptor.number, 3, SEEK_SET)
        for _ in 0..<3 {
            #expect(try read("\(descriptor.number)") == "pass")
        }
        #expect(lseek(descriptor.number, 0, SEEK_CUR) == 3)
        #expect(fcntl(descriptor.number, F_GETFD) & FD_CLOEXEC != 0)
    }

    /// sudo and docker close descriptors: a file of this program then gets the number.
    @Test func aFileOfThisProgramIsNoPassphrase() throws {
        let file = try folder.write("p", "pass\n".utf8)
        for path in [file, folder.path] {
            let opened = try TestDescriptor(path)
            // A low number may have been another test's inherited one.
            let own = TestDescriptor(owning: fcntl(opened.number, F_DUPFD_CLOEXEC, 900))
            try #require(own.number >= 900)
            expect(.authFailed, "\(own.number)", "is not open")
        }
    }

    @Test func linksAreFollowed() throws {
        _ = try folder.write("p", "pass\n".utf8)
        let link = "\(folder.path)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "p")
        #expect(try read(link) == "pass")
    }

    @Test("an unreadable file is reported with its place and origin")
    func unreadable() throws {
        expect(.authFailed, "\(folder.path)/none", "is missing")
        expect(.authFailed, folder.path, "is a folder")
        expect(.authFailed, "/dev/null", "is empty")
        expect(.dataTooLarge, "/dev/full", "is longer")
        expect(.authFailed, try folder.write("empty", []), "is empty")
        expect(.authFailed, try folder.write("newline", "\n".utf8), "is empty")
        expect(.authFailed, "", "is missing")
        expect(.authFailed, "1000000", "is not open")
        let open = try TestDescriptor(folder.path)
        expect(.authFailed, "\(open.number)", "is a folder")
    }

    @Test(
        "numbers that can't be a passphrase's descriptor",
        arguments: ["0", "1", "2", "00", "2147483648", "99999999999999999999"])
    func refusedNumbers(number: String) {
        expect(.param, number, "is invalid")
    }

    @Test(
        "anything but a number is a path", arguments: ["-3", "+3", "3x", " 3", "./3", "٣"])
    func paths(text: String) {
        expect(.authFailed, text, "'\(text)' (TEST_FILE) is missing")
    }

    @Test func aPipeWithoutAWriterIsNotWaitedForLong() throws {
        let fifo = "\(folder.path)/fifo"
        #expect(mkfifo(fifo, 0o600) == 0)
        let start = ContinuousClock.now
        expect(.authFailed, fifo, "it timed out", timeLimit: 200)
        let pipe = try TestPipe()
        _ = fcntl(pipe.readEnd.number, F_SETFD, 0)
        expect(.authFailed, "\(pipe.readEnd.number)", "it timed out", timeLimit: 200)
        pipe.write("half a pass")
        expect(.authFailed, "\(pipe.readEnd.number)", "it timed out", timeLimit: 200)
        #expect((.milliseconds(600)..<(.seconds(60))).contains(ContinuousClock.now - start))
        #expect(fcntl(pipe.readEnd.number, F_GETFL) & O_NONBLOCK == 0)
    }

    @Test("a writer may be late, slow, or gone")
    func writers() async throws {
        let fifo = "\(folder.path)/fifo"
        #expect(mkfifo(fifo, 0o600) == 0)
        for script in [
            "sleep 0.1; printf 'pass\\n' >\"$0\"", "{ printf pa; sleep 0.2; echo ss; } >\"$0\"",
        ] {
            let writer = try Process.run(
                URL(filePath: "/bin/sh"), arguments: ["-c", script, fifo])
            #expect(try read(fifo) == "pass")
            writer.waitUntilExit()
        }
        // As with <(…) of a shell whose command has ended.
        let pipe = try TestDescriptor(piping: "pass\n")
        #expect(try read("/dev/fd/\(pipe.number)", timeLimit: 1000) == "pass")
        // A second reader finds nothing, and need not wait for it.
        expect(.authFailed, "\(pipe.number)", "is empty")
    }

    @Test func aSocket() throws {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let (ours, theirs) = (TestDescriptor(owning: ends[0]), TestDescriptor(owning: ends[1]))
        #expect(write(theirs.number, "pass\n", 5) == 5)
        #expect(shutdown(theirs.number, Int32(SHUT_WR)) == 0)
        #expect(try read("\(ours.number)") == "pass")
    }

    private func read(_ place: String, timeLimit: Int64 = 10_000) throws -> String {
        let secret = try PassphraseFile(place, origin: "TEST_FILE", timeLimit: timeLimit).read()
        return secret.withBytes { span in
            String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
        }
    }

    private func expect(
        _ status: Status, _ place: String, _ reason: String, timeLimit: Int64 = 10_000,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: KeychainError.self, sourceLocation: sourceLocation) {
            try read(place, timeLimit: timeLimit)
        }
        #expect(error?.status == status, sourceLocation: sourceLocation)
        for text in [reason, place, "TEST_FILE"] where !text.isEmpty {
            #expect(error?.reason.contains(text) == true, sourceLocation: sourceLocation)
        }
    }
}
