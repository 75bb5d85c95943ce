internal import LanyardConfiguration
internal import Glibc
internal import KeychainServices
internal import LinuxSystem
internal import LanyardPrompting

/// The clipboard of the user's screen, and the program that serves it. A secret goes to the program's standard input.
enum Clipboard: String, CaseIterable {
    /// wl-clipboard's, for Wayland.
    case wayland
    /// xclip's, for X11, also forwarded by SSH.
    case x11
    /// The terminal's own: the escape sequence OSC 52 reaches it also over SSH, and from a container.
    case terminal

    /// For how long it has a secret, in seconds.
    static let seconds = 45

    /// How long a program may take, in milliseconds.
    private static let timeLimit: Int64 = 5_000
    private static let sizeLimit = 64 << 10

    /// The one of this session.
    ///
    /// - Throws: ``Status/notAvailable`` without one.
    static func current() throws(KeychainError) -> Clipboard {
        var missing: String?
        for (variable, clipboard) in [("WAYLAND_DISPLAY", wayland), ("DISPLAY", x11)]
        where try Environment.value(variable) != nil {
            guard try programPath(clipboard.writer[0]) == nil else {
                return clipboard
            }
            missing = missing ?? (clipboard == .wayland ? "wl-clipboard" : "xclip")
        }
        var isRemote = false
        for variable in ["SSH_CONNECTION", "SSH_TTY"] where try Environment.value(variable) != nil {
            isRemote = true
        }
        if let missing, !isRemote {
            throw KeychainError(
                .notAvailable, "there is no clipboard", hint: "install the package \(missing)")
        }
        // The console of Linux has none, either.
        let terminal = try Environment.value("TERM") ?? "dumb"
        guard !["dumb", "linux"].contains(terminal), canAskAtTerminal() else {
            throw KeychainError(
                .notAvailable, "there is no display here, and no terminal with a clipboard",
                hint: "leave -c out to print the secret")
        }
        return .terminal
    }

    private var writer: [String] {
        switch self {
        case .wayland: ["wl-copy", "--type", "text/plain"]
        case .x11: ["xclip", "-selection", "clipboard", "-in"]
        case .terminal: []
        }
    }

    private var reader: [String] {
        switch self {
        case .wayland: ["wl-paste", "--no-newline"]
        case .x11: ["xclip", "-selection", "clipboard", "-out"]
        case .terminal: []
        }
    }

    /// Copies a secret, and starts the process that clears it.
    ///
    /// - Throws: ``Status/notAvailable`` if the program fails or takes too long, ``Status/dataTooLarge``.
    func copy(_ secret: borrowing Secret) throws(KeychainError) {
        guard secret.count <= Clipboard.sizeLimit else {
            throw KeychainError(.dataTooLarge, "the secret is too large for the clipboard")
        }
        guard self != .terminal else {
            return try copyByTerminal(secret)
        }
        try write(secret)
        do throws(SystemCallError) {
            let descriptor = try SystemCalls.makeSealedMemoryFile(secret)
            defer { SystemCalls.close(descriptor) }
            _ = try SystemCalls.startProcess(
                "/proc/self/exe", ClearClipboardCommand.words + [rawValue], input: descriptor,
                output: nil,
                isOwnSession: true)
        } catch {
            // It must not stay there.
            try? write(Secret(""))
            throw error.keychainError("the clipboard would not be cleared")
        }
    }

    private func write(_ secret: borrowing Secret) throws(KeychainError) {
        var line: String?
        do throws(SystemCallError) {
            let descriptor = try SystemCalls.makeSealedMemoryFile(secret)
            defer { SystemCalls.close(descriptor) }
            let errors = try Pipe()
            defer { line = Clipboard.line(from: errors.readEnd) }
            try run(writer, input: descriptor, output: nil, errors: errors.writeEnd.number)
        } catch {
            throw KeychainError(
                .notAvailable, "\(writer[0]) can't copy to the clipboard: \(line ?? error.words)")
        }
    }

    /// Returns the first line that a program wrote to a pipe, nil if there is none: it may still run, and write nothing.
    private static func line(from pipe: borrowing Descriptor) -> String? {
        var input = pollfd(fd: pipe.number, events: Int16(POLLIN), revents: 0)
        // Safe: a local variable that outlives the call, which gets the count of one entry.
        guard unsafe poll(&input, 1, 0) == 1, input.revents & Int16(POLLIN) != 0,
            let text = try? SystemCalls.readSecret(pipe.number, 300)
        else {
            return nil
        }
        let line = text.withBytes { bytes in
            String(decoding: ByteString(copying: bytes).bytes, as: UTF8.self)
        }.prefix { $0 != "\n" }
        return line.isEmpty ? nil : String(line)
    }

    /// Runs a program of the clipboard within the time limit.
    private func run(
        _ words: [String], input: Int32?, output: Int32?, errors: Int32? = nil
    ) throws(SystemCallError) {
        guard let path = (try? programPath(words[0])) ?? nil else {
            throw SystemCallError(call: "posix_spawn", code: ENOENT)
        }
        let process = try SystemCalls.startProcess(
            path, Array(words.dropFirst()), input: input, output: output, errors: errors)
        let status = SystemCalls.exitStatus(
            of: process, until: Deadline(milliseconds: Clipboard.timeLimit))
        guard let status else {
            SystemCalls.endProcess(process)
            throw SystemCallError(call: "waitpid", code: ETIMEDOUT)
        }
        guard status == 0 else {
            throw SystemCallError(call: "waitpid", code: EIO)
        }
    }

    private func copyByTerminal(_ secret: borrowing Secret) throws(KeychainError) {
        var sequence = SecretBuilder()
        sequence.append(ByteString("\u{1B}]52;c;"))
        sequence.append(secret.withBytes { Base64.encode($0) })
        sequence.append(UInt8(7))
        let text = sequence.finish()
        do throws(SystemCallError) {
            let terminal = Descriptor(
                owning: try SystemCalls.open("/dev/tty", O_WRONLY | O_NOCTTY))
            try text.withBytes { bytes throws(SystemCallError) in
                try SystemCalls.writeAll(terminal.number, bytes)
            }
        } catch {
            throw error.keychainError("the terminal's clipboard can't be written")
        }
    }

    /// Clears it, if it still has a secret.
    func clear(_ secret: borrowing Secret) throws(KeychainError) {
        do throws(SystemCallError) {
            let pipe = try Pipe()
            // More than the pipe takes is something else, and ends at the time limit.
            try run(reader, input: nil, output: pipe.writeEnd.number)
            let end = pipe.keepingReadEnd()
            let present = try SystemCalls.readToEnd(end.number, limit: Clipboard.sizeLimit)
            guard present?.isEqual(to: secret) == true else {
                return
            }
        } catch {
            throw error.keychainError("the clipboard can't be read")
        }
        try write(Secret(""))
    }
}
