internal import CLinux

/// What the program was called with, its name first.
///
/// Swift's own list is read from /proc when the program starts, also where nobody asks for it, and is
/// empty where that fails.
package enum ProgramArguments {
    /// The arguments; what is not UTF-8 in them is put in the form of U+FFFD.
    ///
    /// Taken from the start of the stack, where the kernel puts their number, the arguments, NULL and
    /// the environment one after the other: System V ABI, "Process Initialization".
    package static func all() -> [String] {
        // Safe: nobody has put another environment in the place of the one that the kernel made, and
        // before that there is the number, which ends the search, and as many texts as it says.
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
