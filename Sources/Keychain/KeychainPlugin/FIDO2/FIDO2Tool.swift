internal import Glibc
internal import LinuxSystem
internal import LanyardSecrets

/// A program of Debian's fido2-tools, which drive security keys. Only pipes carry what it reads and writes: its
/// arguments, which other users see, are options and the device.
///
/// It keeps our terminal, if there is one, where it asks for a PIN.
struct FIDO2Tool {
    private let path: String
    private let name: String

    /// Looks for a program in the folders of PATH.
    ///
    /// - Throws: ``Status/notAvailable``; ``Status/writePermissions`` if other users could have replaced it.
    init(_ name: String) throws(KeychainError) {
        guard let path = ProgramRun.find(name) else {
            throw KeychainError(
                .notAvailable, "\(name) is not installed",
                hint: "install it: apt install fido2-tools")
        }
        self.name = name
        self.path = try PluginProgram.check(path, "program")
    }

    /// Runs the program and passes its lines on, each with its position.
    ///
    /// - Parameter input: The lines of its input. Nothing secret.
    /// - Throws: What the program's error means, see ``FIDO2Error``.
    func run(
        _ arguments: [String], input: [String] = [], until deadline: Deadline,
        _ take: (Int, borrowing Secret) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let running = try start(arguments, input)
        let tool = running.tool
        ProgramRun.setCurrent(tool.identifier)
        defer { ProgramRun.setCurrent(nil) }
        var position = 0
        let status: Int32
        while let line = try FIDO2Tool.readLine(tool.channel, until: deadline) {
            try take(position, line)
            position += 1
        }
        do throws(LineChannel.Failure) {
            status = try tool.exitStatus(until: deadline)
        } catch {
            throw FIDO2Error.notTouched
        }
        guard status == 0 else {
            throw FIDO2Error.error(FIDO2Tool.text(of: running.errors.number), status: status)
        }
    }

    /// A program that runs.
    private struct Running: ~Copyable {
        let tool: ChildProcess
        /// A file in memory.
        let errors: Descriptor
    }

    private func start(
        _ arguments: [String], _ input: [String]
    ) throws(KeychainError) -> Running {
        do throws(SystemCallError) {
            let text = input.map { "\($0)\n" }.joined()
            let standard = Descriptor(owning: try SystemCalls.makeMemoryFile(Array(text.utf8).span))
            let errors = Descriptor(owning: try SystemCalls.makeMemoryFile())
            // A socket and no file: what went through it is stored nowhere.
            let tool = try ChildProcess(.socket) { _, output throws(SystemCallError) in
                try SystemCalls.startProcess(
                    path, arguments, input: standard.number, output: output,
                    errors: errors.number, variables: ["LC_ALL": "C"],
                    withheld: ["FIDO_DEBUG", "LD_"])
            }
            return Running(tool: tool, errors: errors)
        } catch {
            throw KeychainError(.notAvailable, "\(name) can't be run: \(error.words)")
        }
    }

    private static func readLine(
        _ channel: LineChannel, until deadline: Deadline
    ) throws(KeychainError) -> Secret? {
        do throws(LineChannel.Failure) {
            return try channel.readLine(until: deadline)
        } catch {
            throw FIDO2Error.notTouched
        }
    }

    private static func text(of descriptor: Int32) -> String {
        guard let size = try? SystemCalls.status(of: descriptor).size, size > 0,
            let bytes = try? SystemCalls.read(descriptor, min(size, 4096), at: 0)
        else {
            return ""
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
