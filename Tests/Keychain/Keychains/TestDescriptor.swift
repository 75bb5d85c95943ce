import Glibc
import Testing

/// A descriptor as a parent would leave it to a program.
final class TestDescriptor: Sendable {
    let number: Int32

    init(owning number: Int32) {
        self.number = number
    }

    convenience init(_ path: String) throws {
        let number = open(path, O_RDONLY)
        try #require(number > 2)
        self.init(owning: number)
    }

    /// A pipe that contains a text and has no writer any more.
    convenience init(piping text: String) throws {
        let pipe = try TestPipe()
        pipe.write(text)
        self.init(owning: dup(pipe.readEnd.number))
    }

    deinit {
        close(number)
    }
}

/// Both ends of a pipe.
final class TestPipe: Sendable {
    let readEnd: TestDescriptor
    let writeEnd: TestDescriptor

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        // Or a program that another test starts would hold it open.
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        readEnd = TestDescriptor(owning: ends[0])
        writeEnd = TestDescriptor(owning: ends[1])
    }

    func write(_ text: String) {
        #expect(Glibc.write(writeEnd.number, text, text.utf8.count) == text.utf8.count)
    }
}
