internal import Configuration
internal import Glibc
internal import LinuxSystem

/// How wide a line to a terminal may be: what COLUMNS says, else what the terminal does.
///
/// - Returns: nil where the descriptor is no terminal, or one whose width is not known or too small for words.
public func terminalColumns(_ descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else {
        return nil
    }
    let wanted = ((try? Environment.value("COLUMNS")) ?? nil).flatMap { Int($0) }
    let columns =
        wanted.flatMap { $0 > 0 ? $0 : nil } ?? SystemCalls.columns(ofTerminal: descriptor)
    return columns.flatMap { $0 >= 20 ? $0 : nil }
}
