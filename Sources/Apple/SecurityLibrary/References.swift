/// Returns the object of a reference that this library gave to C.
func object<Object: AnyObject>(_ reference: UnsafeRawPointer?) -> Object? {
    // Safe: the caller has a reference that is not released, as the header says.
    guard let reference = unsafe reference else {
        return nil
    }
    return unsafe Unmanaged<AnyObject>.fromOpaque(reference).takeUnretainedValue() as? Object
}

/// Runs a function that writes an object, and gives C a retained reference to it.
func giving<Object: AnyObject>(
    _ place: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ body: (UnsafeMutablePointer<Object?>) -> Int32
) -> Int32 {
    var object: Object?
    // Safe: the object outlives the call, and the place is the caller's memory.
    let status = unsafe withUnsafeMutablePointer(to: &object) { unsafe body($0) }
    if let place = unsafe place, let object {
        unsafe place.pointee = Unmanaged<AnyObject>.passRetained(object).toOpaque()
    }
    return status
}
