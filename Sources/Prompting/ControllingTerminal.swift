internal import CLinux
internal import Glibc
internal import LinuxSystem

/// The process's terminal, where it may be read.
struct ControllingTerminal: ~Copyable {
    private let handle: Descriptor

    var descriptor: Int32 { handle.number }

    /// Nil without a terminal, and in the background: who reads there is stopped until a person
    /// thinks of it.
    init?() {
        guard let descriptor = try? SystemCalls.open("/dev/tty", O_RDWR | O_NOCTTY) else {
            return nil
        }
        let handle = Descriptor(owning: descriptor)
        guard tcgetpgrp(descriptor) == getpgrp() else {
            return nil
        }
        self.handle = handle
    }

    /// Whether a person can be asked at a terminal.
    static var isUsable: Bool {
        switch ControllingTerminal() {
        case .some: true
        case .none: false
        }
    }

    /// How it is set, nil if it does not answer.
    var settings: termios? {
        var settings = termios()
        // Safe: the variable lives for the call.
        return unsafe tcgetattr(descriptor, &settings) == 0 ? settings : nil
    }

    /// Sets it, and drops what was typed and not read yet.
    func set(_ settings: termios) {
        var settings = settings
        // Safe: the variable lives for the call.
        unsafe tcsetattr(descriptor, TCSAFLUSH, &settings)
    }

    /// A path by which a program that we start can open it, nil if there is none, as after su.
    var path: String? {
        let streams = [0, 1, 2].map { try? SystemCalls.readLink("/proc/self/fd/\($0)") }
        return ([pseudoTerminal] + streams).compactMap(\.self).first { isPath($0) }
    }

    private var pseudoTerminal: String? {
        // Linux, Documentation/admin-guide/devices.txt: 136 char, Unix98 PTY slaves.
        let device = lanyard_terminal_device(descriptor)
        let major = device >> 8 & 0xFFF
        let minor = device & 0xFF | device >> 12 & 0xFFF00
        return major == 136 ? "/dev/pts/\(minor)" : nil
    }

    private func isPath(_ path: String) -> Bool {
        guard path.hasPrefix("/dev/"),
            let other = try? SystemCalls.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
        else {
            return false
        }
        let handle = Descriptor(owning: other)
        // Only a process's own terminal tells it a foreground group.
        return tcgetpgrp(handle.number) == getpgrp()
    }
}

/// A path by which a program that we start can open our terminal, nil if there is none.
package func controllingTerminalPath() -> String? {
    switch ControllingTerminal() {
    case .some(let terminal): terminal.path
    case .none: nil
    }
}
