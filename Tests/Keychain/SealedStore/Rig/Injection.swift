import Foundation

/// Lets one call into the system fail, and counts the calls.
final class Injection: @unchecked Sendable {
    private let lock = NSLock()
    private let call: String
    private let number: Int
    private let code: Int32
    private var count = 0

    /// - Parameter number: Which of the calls of this name fails; the first is 1.
    init(_ call: String, _ number: Int, _ code: Int32) {
        self.call = call
        self.number = number
        self.code = code
    }

    func error(_ name: String) -> Int32? {
        lock.withLock {
            guard name == call else {
                return nil
            }
            count += 1
            return count == number ? code : nil
        }
    }

    /// Whether there were as many calls.
    var hasFailed: Bool { lock.withLock { count >= number } }
}
