internal import LanyardConfiguration
internal import Glibc
internal import LinuxSystem

/// Returns the width of a line to a terminal: COLUMNS, else the terminal's own value.
///
/// - Returns: nil if the descriptor is not a terminal, or if its width is unknown or too small for words.
public func terminalColumns(_ descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else {
        return nil
    }
    let wanted = ((try? Environment.value("COLUMNS")) ?? nil).flatMap { Int($0) }
    let columns =
        wanted.flatMap { $0 > 0 ? $0 : nil } ?? SystemCalls.columns(ofTerminal: descriptor)
    return columns.flatMap { $0 >= 20 ? $0 : nil }
}
