internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// Covers the time while another program asks the user: signals are an answer, and the terminal is restored
/// afterwards, as that program may have changed it.
struct PromptSession: ~Copyable {
    let signals: EndingSignals
    private let terminal: ControllingTerminal?
    private let settings: termios?

    init() throws(KeychainError) {
        signals = try EndingSignals(andChildren: true)
        switch ControllingTerminal() {
        case .some(let terminal):
            settings = terminal.settings
            self.terminal = .some(terminal)
        case .none:
            settings = nil
            terminal = nil
        }
    }

    deinit {
        switch terminal {
        case .some(let terminal):
            // Otherwise input typed for the next program survives.
            if let settings, let now = terminal.settings, !isSame(now, settings) {
                terminal.set(settings)
            }
        case .none: break
        }
        signals.restore()
    }

    /// The terminal's path for a program; nil if the user can't be asked there.
    var terminalPath: String? {
        switch terminal {
        case .some(let terminal): terminal.path
        case .none: nil
        }
    }
}

private func isSame(_ left: termios, _ right: termios) -> Bool {
    // Safe: only bytes of two local copies are read. If their padding differs, the same settings are set
    // again.
    unsafe withUnsafeBytes(of: left) { left in
        unsafe withUnsafeBytes(of: right) { right in unsafe left.elementsEqual(right) }
    }
}
