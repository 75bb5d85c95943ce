internal import CLinux

/// The program's arguments, beginning with its name.
///
/// Swift reads its own list from /proc at every program start, even if unused, and the list is
/// empty if that fails.
package enum ProgramArguments {
    /// Returns the name that the program was started by, without folders: an ELF file may have several.
    package static func name() -> String { PrivatePlace.name(of: all().first ?? "") }

    /// Returns the arguments; invalid UTF-8 in them becomes U+FFFD. Those of `lanyard-helper NAME …` begin with NAME.
    package static func all() -> [String] {
        let arguments = asGiven()
        guard arguments.count > 1, !arguments[1].hasPrefix("-"),
            PrivatePlace.name(of: arguments[0]) == Installation.helper
        else {
            return arguments
        }
        return Array(arguments.dropFirst())
    }

    /// They come from the start of the stack, where the kernel puts their number, the arguments,
    /// NULL and the environment one after the other: System V ABI, "Process Initialization".
    private static func asGiven() -> [String] {
        // Safe: the environment is still the one that the kernel made. Before it are the number,
        // which ends the search, and that many texts.
        guard let environment = unsafe lanyard_environment() else {
            return []
        }
        let last = unsafe environment - 2
        var count = 0
        while unsafe Int(bitPattern: (last - count).pointee) != count {
            count += 1
        }
        return unsafe UnsafeBufferPointer(start: last - count + 1, count: count)
            .map { unsafe $0.map { unsafe String(cString: $0) } ?? "" }
    }
}
