internal import Glibc

// Terminals.
extension SystemCalls {
    /// Returns the number of columns of a terminal's window, nil if it is unknown. The
    /// corresponding C function is `ioctl` with TIOCGWINSZ.
    package static func columns(ofTerminal descriptor: Int32) -> Int? {
        var size = winsize()
        // Safe: the kernel writes one such structure, and there is one.
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}
