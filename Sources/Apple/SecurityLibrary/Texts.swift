// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import KeychainServices
internal import SecurityFunctions

// The functions of include/Security/Security.h for references and texts.

/// A text for C.
final class CText {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecCopyErrorMessageString)
public func cSecCopyErrorMessageString(
    _ status: Int32, _ reserved: UnsafeRawPointer?
) -> UnsafeMutableRawPointer {
    let text = CText(Status(rawValue: status).message)
    return unsafe Unmanaged<AnyObject>.passRetained(text).toOpaque()
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(CFStringGetCString)
public func cCFStringGetCString(
    _ string: UnsafeRawPointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int,
    _ encoding: UInt32
) -> UInt8 {
    guard let string: CText = unsafe object(string), let buffer = unsafe buffer,
        string.text.utf8.count < size
    else {
        return 0
    }
    for (place, byte) in (Array(string.text.utf8) + [0]).enumerated() {
        unsafe buffer[place] = CChar(bitPattern: byte)
    }
    return 1
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(CFRetain)
public func cCFRetain(_ reference: UnsafeRawPointer) -> UnsafeRawPointer {
    _ = unsafe Unmanaged<AnyObject>.fromOpaque(reference).retain()
    return unsafe reference
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(CFRelease)
public func cCFRelease(_ reference: UnsafeRawPointer) {
    unsafe Unmanaged<AnyObject>.fromOpaque(reference).release()
}
