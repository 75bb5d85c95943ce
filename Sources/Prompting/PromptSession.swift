internal import Glibc
internal import KeychainServices

/// While another program asks a person: signals are an answer, and the terminal, which that program
/// may use, is left as it was.
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
            // Else what was typed for the next program is kept.
            if let settings, let now = terminal.settings, !isSame(now, settings) {
                terminal.set(settings)
            }
        case .none: break
        }
        signals.restore()
    }

    /// What a program is told of the terminal, nil if a person can't be asked there.
    var terminalPath: String? {
        switch terminal {
        case .some(let terminal): terminal.path
        case .none: nil
        }
    }
}

private func isSame(_ left: termios, _ right: termios) -> Bool {
    // Safe: only bytes of two local copies are read. Were their padding to differ, the same settings
    // would be set again.
    unsafe withUnsafeBytes(of: left) { left in
        unsafe withUnsafeBytes(of: right) { right in unsafe left.elementsEqual(right) }
    }
}
