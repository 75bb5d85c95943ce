internal import CLinux
internal import Glibc
package import LanyardSecrets

/// A program that will replace this process: its arguments, and its environment, which is ours with
/// changes and may contain secrets.
@safe  // Safe: the texts that it has made are its own, and freed in `deinit` alone.
package struct ProgramReplacement: ~Copyable {
    private let path: String
    private let arguments: [String]
    /// The inherited entries of `environ`.
    private var inherited: [UnsafeMutablePointer<CChar>]
    private var added: [UnsafeMutableBufferPointer<CChar>]
    private var keptDescriptors: [Int32] = []

    /// - Parameters:
    ///   - path: The program's file.
    ///   - arguments: All arguments, including the program's name.
    package init(_ path: String, _ arguments: [String]) {
        self.path = path
        self.arguments = arguments
        // Safe: `environ` ends with NULL, and no thread changes it.
        unsafe inherited = []
        unsafe added = []
        var next = unsafe lanyard_environment()
        while let entry = unsafe next?.pointee {
            unsafe inherited.append(entry)
            unsafe next = next?.advanced(by: 1)
        }
    }

    deinit {
        // Safe: the texts are our own, have the lengths they say, and are not used any more.
        unsafe added.forEach { text in
            unsafe explicit_bzero(text.baseAddress!, text.count)
            unsafe text.deallocate()
        }
    }

    /// Returns the value of a variable of our own environment, nil if it is not set.
    package borrowing func inheritedValue(_ name: String) -> String? {
        let beginning = "\(name)="
        // Safe: the entries end with NUL; the text is copied.
        let entry = unsafe inherited.first { unsafe begins($0, beginning) }
        return unsafe entry.map { unsafe String(cString: $0.advanced(by: beginning.utf8.count)) }
    }

    /// Removes a variable from the program's environment.
    package mutating func removeVariable(_ name: String) {
        let beginning = "\(name)="
        // Safe: the entries end with NUL.
        unsafe inherited.removeAll { unsafe begins($0, beginning) }
    }

    /// Sets a variable in the program's environment.
    ///
    /// - Parameter value: Any bytes but NUL; bytes after a NUL are not part of the variable.
    package mutating func setVariable(_ name: String, _ value: borrowing Secret) {
        removeVariable(name)
        let beginning = Array("\(name)=".utf8)
        let count = beginning.count + value.count + 1
        // Safe: there is room for name, value and NUL; wiped and freed in `deinit`.
        let text = UnsafeMutableBufferPointer<CChar>.allocate(capacity: count)
        for (index, byte) in beginning.enumerated() {
            unsafe text[index] = CChar(bitPattern: byte)
        }
        value.withBytes { bytes in
            for index in bytes.indices {
                unsafe text[beginning.count + index] = CChar(bitPattern: bytes[index])
            }
        }
        unsafe text[count - 1] = 0
        unsafe added.append(text)
    }

    /// Passes a descriptor of ours to the program.
    package mutating func keepOpen(_ descriptor: Int32) {
        keptDescriptors.append(descriptor)
    }

    /// How the target of a link in `/proc` to one of our files in memory begins.
    package static let memoryFile = "/memfd:lanyard "

    /// Passes our own files in memory on that a `lanyard` around this one made: variables have their paths.
    package mutating func keepInheritedMemoryFiles() {
        let beginning = "=/proc/\(getpid())/fd/"
        // Safe: nothing is read beyond the NUL of an entry.
        for index in unsafe inherited.indices {
            guard let value = unsafe strchr(inherited[index], 0x3D),
                unsafe begins(value, beginning)
            else {
                continue
            }
            let descriptor = unsafe atoi(value.advanced(by: beginning.utf8.count))
            let file = try? SystemCalls.readLink("/proc/self/fd/\(descriptor)")
            if file?.hasPrefix(ProgramReplacement.memoryFile) == true {
                keepOpen(descriptor)
            }
        }
    }

    /// Replaces this program with the other one, which gets the standard streams and the
    /// descriptors passed to it, and no others. The corresponding C function is `execve`; as `execvpe` does, a script
    /// without an interpreter is run by a shell.
    package consuming func execute() throws(SystemCallError) -> Never {
        lanyard_close_on_exec_from(3)
        for descriptor in keptDescriptors {
            _ = fcntl(descriptor, F_SETFD, 0)
        }
        do throws(SystemCallError) {
            try replace(by: path, arguments)
        } catch {
            guard error.code == ENOEXEC, isScript else {
                throw error
            }
        }
        try replace(by: "/bin/sh", ["/bin/sh", path] + arguments.dropFirst())
    }

    private func replace(
        by path: String, _ arguments: [String]
    ) throws(SystemCallError) -> Never {
        // Safe: both lists end with NULL, and all their texts with NUL; copies made here are freed
        // if the program can't run.
        let words = unsafe arguments.map { unsafe strdup($0) }
        defer { unsafe words.forEach { unsafe free($0) } }
        var environment = unsafe inherited.map { unsafe Optional($0) }
        unsafe environment += added.map { $0.baseAddress }
        _ = try SystemCalls.perform("execve") {
            unsafe execve(path, words + [nil], environment + [nil])
        }
        fatalError("execve does not return")
    }

    /// Whether the file is text, and no program for another machine: POSIX has shells look at the first line.
    private var isScript: Bool {
        guard let descriptor = try? SystemCalls.open(path, O_RDONLY) else {
            return false
        }
        defer { SystemCalls.close(descriptor) }
        let beginning = try? SystemCalls.read(descriptor, 256, at: 0)
        return beginning?.prefix { $0 != UInt8(ascii: "\n") }.contains(0) == false
    }
}

/// Returns whether an entry of the environment begins with a text.
private func begins(_ entry: UnsafeMutablePointer<CChar>, _ beginning: String) -> Bool {
    // Safe: neither is read beyond its NUL.
    unsafe strncmp(entry, beginning, beginning.utf8.count) == 0
}
