internal import KeychainServices

extension KeychainError {
    /// The error as Core Foundation has it: of the domain NSOSStatusErrorDomain.
    var cfError: CFError {
        let text = reason
        return NSError(
            domain: NSOSStatusErrorDomain, code: Int(status.rawValue),
            userInfo: [NSLocalizedDescriptionKey: text])
    }
}

/// Returns what a closure returns; nil if it throws, and writes the error.
///
/// - Parameter error: Where the caller wants the error, or nil; the caller releases it.
@unsafe  // Safe: callers pass memory as they got it.
func value<Value>(
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?,
    _ body: () throws(KeychainError) -> Value
) -> Value? {
    do throws(KeychainError) {
        return try body()
    } catch let failure {
        // Safe: the caller's memory.
        unsafe error?.pointee = Unmanaged.passRetained(failure.cfError)
        return nil
    }
}
