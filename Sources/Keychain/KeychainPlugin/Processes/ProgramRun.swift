internal import Glibc
package import LinuxSystem
package import LanyardSecrets
internal import Synchronization

/// One run of another program to its end: what it wrote, and its status.
package struct ProgramRun: Sendable {
    /// The exit status, or 128 plus the number of a signal.
    package let status: Int32
    /// Its standard output.
    package let output: FileBytes
    /// Its standard error.
    package let errors: FileBytes

    /// The program that runs at the moment, 0 for none.
    private static let current = Atomic<Int32>(0)

    /// Runs a program in a session of its own.
    ///
    /// - Parameters:
    ///   - path: The program's path.
    ///   - input: Its standard input.
    ///   - variables: Variables that it gets instead of ours.
    ///   - withheld: The beginnings of the names of our variables that it does not get.
    ///   - inheritsVariables: Whether it gets our other variables, too.
    ///   - outputLimit: The most bytes of standard output and standard error together.
    /// - Throws: ``Status/notAvailable`` if it can't be started, writes too much, or still runs at the
    ///   deadline: it is killed then, and so are its children.
    package init(
        _ path: String, _ arguments: [String], input: Span<UInt8>,
        variables: [String: String] = [:], withheld: [String] = [], inheritsVariables: Bool = true,
        outputLimit: Int = 1 << 30, until deadline: Deadline
    ) throws(KeychainError) {
        let name = PrivatePlace.name(of: path)
        let isTooLarge: Bool
        do throws(SystemCallError) {
            // Files in memory never fill up, as pipes do.
            let standard = Descriptor(owning: try SystemCalls.makeMemoryFile(input))
            let output = Descriptor(owning: try SystemCalls.makeMemoryFile())
            let errors = Descriptor(owning: try SystemCalls.makeMemoryFile())
            let process = try SystemCalls.startProcess(
                path, arguments, input: standard.number, output: output.number,
                errors: errors.number, isOwnSession: true, variables: variables,
                withheld: withheld, inheritsVariables: inheritsVariables)
            ProgramRun.current.store(process, ordering: .sequentiallyConsistent)
            let status = SystemCalls.exitStatus(of: process, until: deadline) {
                ProgramRun.size(output, errors) <= outputLimit
            }
            ProgramRun.current.store(0, ordering: .sequentiallyConsistent)
            isTooLarge = ProgramRun.size(output, errors) > outputLimit
            if let status, !isTooLarge {
                self.status = status
                self.output = try ProgramRun.contents(of: output.number)
                self.errors = try ProgramRun.contents(of: errors.number)
                return
            }
            if status == nil {
                SystemCalls.killSession(process)
            }
        } catch {
            throw KeychainError(.notAvailable, "\(name) can't be run: \(error.words)")
        }
        throw KeychainError(
            .notAvailable,
            isTooLarge ? "the output of \(name) is too large" : "\(name) did not finish in time")
    }

    /// Notes another program that ``killCurrent()`` kills; nil for none.
    package static func setCurrent(_ process: Int32?) {
        current.store(process ?? 0, ordering: .sequentiallyConsistent)
    }

    /// Kills the program that runs at the moment, from another thread: in a plugin, where one runs at a time.
    package static func killCurrent() {
        let process = current.load(ordering: .sequentiallyConsistent)
        if process > 0, kill(-process, SIGKILL) != 0 {
            // It has no session of its own: it may have turned off the echo of our terminal.
            kill(process, SIGTERM)
        }
    }

    private static func size(
        _ output: borrowing Descriptor, _ errors: borrowing Descriptor
    ) -> Int {
        [output.number, errors.number].reduce(0) { sum, descriptor in
            sum + ((try? SystemCalls.status(of: descriptor))?.size ?? 0)
        }
    }

    private static func contents(of descriptor: Int32) throws(SystemCallError) -> FileBytes {
        let size = try SystemCalls.status(of: descriptor).size
        // Safe: the call writes within the memory, and returns how much.
        return FileBytes(
            unsafe try Secret(capacity: size) { memory throws(SystemCallError) in
                unsafe try SystemCalls.read(descriptor, memory, at: 0)
            })
    }

    /// Returns the path of a program in the folders of PATH, nil if there is none.
    package static func find(_ name: String) -> String? {
        // Safe: no other thread changes the environment; the text is copied.
        let path = unsafe getenv("PATH").map { unsafe String(cString: $0) }
        return SystemCalls.executable(name, inPath: path ?? "/usr/local/bin:/usr/bin:/bin")
    }

    /// The lines of its standard error, for messages: printable, at most 300 characters each.
    package var errorLines: [String] {
        String(decoding: errors, as: UTF8.self).split(whereSeparator: { $0.isNewline }).map {
            line in
            String(
                line.unicodeScalars.prefix(300).map { scalar in
                    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
                        ? " " : Character(scalar)
                })
        }
    }
}
