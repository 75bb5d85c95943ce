import Glibc
import LanyardPrompting
import KeychainServices

/// Code that reads bytes from outside, with what has to hold whatever the bytes are.
///
/// It ends the process where something does not hold; so do the traps of Swift, the address
/// sanitizer, and libFuzzer's own limits of time and memory.
protocol FuzzTarget {
    /// The name by which the target is chosen; its seeds are in the folder of this name.
    static var name: String { get }

    /// Tries one input.
    static func run(_ input: [UInt8])
}

/// The target that this process runs.
nonisolated(unsafe) var target: any FuzzTarget.Type = SelfTestTarget.self

/// What libFuzzer calls with each input: LLVMFuzzerTestOneInput.
func runTarget(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    target.run(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}

/// Ends the process if something does not hold: libFuzzer then keeps the input.
func check(_ holds: Bool, _ what: StaticString) {
    if !holds {
        fail(what)
    }
}

func fail(_ what: StaticString) -> Never {
    let line = Array("fuzz: \(what)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    abort()
}

/// Runs something that may fail, and checks how it does: in words that make one line for users once
/// they are printed.
///
/// - Returns: Nil if it has thrown.
func attempt<Result>(_ body: () throws(KeychainError) -> Result) -> Result? {
    do throws(KeychainError) {
        return try body()
    } catch {
        check(error)
        return nil
    }
}

func check(_ error: KeychainError) {
    check(!error.reason.isEmpty, "an error has no reason")
    check(isOneLine(harmless(error.reason)), "the reason of an error is more than one line")
    check(isOneLine(harmless(error.hint ?? "")), "the hint of an error is more than one line")
}

private func isOneLine(_ text: String) -> Bool {
    !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
}

extension Secret {
    /// The bytes, to be compared.
    borrowing func array() -> [UInt8] {
        withBytes { ByteString(copying: $0).bytes }
    }
}

extension [UInt8] {
    /// Whether these bytes contain a text.
    func holds(_ text: [UInt8]) -> Bool {
        guard count >= text.count else {
            return false
        }
        return (0...count - text.count).contains { self[$0..<$0 + text.count].elementsEqual(text) }
    }

    /// Whether a number may be in it that is too large for Foundation's reader of JSON.
    var mayHoldHugeNumber: Bool {
        split { !Array("0123456789+-.eE".utf8).contains($0) }.contains {
            Double(String(decoding: $0, as: UTF8.self))?.isInfinite == true
        }
    }
}
