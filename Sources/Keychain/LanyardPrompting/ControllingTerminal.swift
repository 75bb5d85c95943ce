internal import CLinux
internal import Glibc
internal import LinuxSystem

/// The process's terminal, if it may be read.
struct ControllingTerminal: ~Copyable {
    private let handle: Descriptor

    var descriptor: Int32 { handle.number }

    /// Fails without a terminal, and in the background, where a read would stop the process until the user
    /// notices.
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

    /// Whether the user can be asked at a terminal.
    static var isUsable: Bool {
        switch ControllingTerminal() {
        case .some: true
        case .none: false
        }
    }

    /// The terminal's settings; nil if it does not respond.
    var settings: termios? {
        var settings = termios()
        // Safe: the variable outlives the call.
        return unsafe tcgetattr(descriptor, &settings) == 0 ? settings : nil
    }

    /// Changes the settings, and discards unread input.
    func set(_ settings: termios) {
        var settings = settings
        // Safe: the variable outlives the call.
        unsafe tcsetattr(descriptor, TCSAFLUSH, &settings)
    }

    /// A path that a child program can open it with; nil without one, as after su.
    var path: String? {
        let streams = [0, 1, 2].map { try? SystemCalls.readLink("/proc/self/fd/\($0)") }
        return ([pseudoTerminal] + streams).compactMap { $0 }.first { isPath($0) }
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
        // Only the controlling terminal has a foreground group for its process.
        return tcgetpgrp(handle.number) == getpgrp()
    }
}

/// Returns a path that a child program can open our terminal with, nil without one.
package func controllingTerminalPath() -> String? {
    switch ControllingTerminal() {
    case .some(let terminal): terminal.path
    case .none: nil
    }
}
