// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import KeychainServices
internal import SecurityFunctions

// The functions of include/Security/Security.h, whose comments document them.

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainGetVersion)
public func cSecKeychainGetVersion(_ version: UnsafeMutablePointer<UInt32>?) -> Int32 {
    guard let version = unsafe version else {
        return Status.param.rawValue
    }
    return unsafe SecKeychainGetVersion(version)
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainCreate)
public func cSecKeychainCreate(
    _ path: UnsafePointer<CChar>?, _ passwordLength: UInt32, _ password: UnsafeRawPointer?,
    _ promptUser: UInt8, _ initialAccess: UnsafeRawPointer?,
    _ keychain: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
    guard let path = unsafe path else {
        return Status.param.rawValue
    }
    return unsafe giving(keychain) { place in
        unsafe SecKeychainCreate(path, passwordLength, password, promptUser != 0, nil, place)
    }
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainOpen)
public func cSecKeychainOpen(
    _ path: UnsafePointer<CChar>?, _ keychain: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
    guard let path = unsafe path else {
        return Status.param.rawValue
    }
    return unsafe giving(keychain) { place in unsafe SecKeychainOpen(path, place) }
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainCopyDefault)
public func cSecKeychainCopyDefault(_ keychain: UnsafeMutablePointer<UnsafeMutableRawPointer?>?)
    -> Int32
{
    unsafe giving(keychain) { place in unsafe SecKeychainCopyDefault(place) }
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainSetDefault)
public func cSecKeychainSetDefault(_ keychain: UnsafeRawPointer?) -> Int32 {
    unsafe SecKeychainSetDefault(object(keychain))
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainDelete)
public func cSecKeychainDelete(_ keychain: UnsafeRawPointer?) -> Int32 {
    unsafe SecKeychainDelete(object(keychain))
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainLock)
public func cSecKeychainLock(_ keychain: UnsafeRawPointer?) -> Int32 {
    unsafe SecKeychainLock(object(keychain))
}

@c(SecKeychainLockAll)
public func cSecKeychainLockAll() -> Int32 {
    SecKeychainLockAll()
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainUnlock)
public func cSecKeychainUnlock(
    _ keychain: UnsafeRawPointer?, _ passwordLength: UInt32, _ password: UnsafeRawPointer?,
    _ usePassword: UInt8
) -> Int32 {
    unsafe SecKeychainUnlock(object(keychain), passwordLength, password, usePassword != 0)
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainGetPath)
public func cSecKeychainGetPath(
    _ keychain: UnsafeRawPointer?, _ length: UnsafeMutablePointer<UInt32>?,
    _ path: UnsafeMutablePointer<CChar>?
) -> Int32 {
    guard let length = unsafe length, let path = unsafe path else {
        return Status.param.rawValue
    }
    return unsafe SecKeychainGetPath(object(keychain), length, path)
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainGetStatus)
public func cSecKeychainGetStatus(
    _ keychain: UnsafeRawPointer?, _ bits: UnsafeMutablePointer<UInt32>?
) -> Int32 {
    guard let bits = unsafe bits else {
        return Status.param.rawValue
    }
    return unsafe SecKeychainGetStatus(object(keychain), bits)
}

// Safe: the caller's memory, of a type with the same layout, and a reference that is not released.
@c(SecKeychainSetSettings)
public func cSecKeychainSetSettings(
    _ keychain: UnsafeRawPointer?, _ settings: UnsafeRawPointer?
) -> Int32 {
    guard let settings = unsafe settings else {
        return Status.param.rawValue
    }
    // C's Boolean can be any byte, Swift's Bool can't.
    var new = unsafe SecKeychainSettings(
        version: settings.load(as: UInt32.self),
        lockOnSleep: settings.load(fromByteOffset: 4, as: UInt8.self) != 0,
        useLockInterval: settings.load(fromByteOffset: 5, as: UInt8.self) != 0,
        lockInterval: settings.load(fromByteOffset: 8, as: UInt32.self))
    return unsafe SecKeychainSetSettings(object(keychain), &new)
}

// Safe: as above.
@c(SecKeychainCopySettings)
public func cSecKeychainCopySettings(
    _ keychain: UnsafeRawPointer?, _ settings: UnsafeMutableRawPointer?
) -> Int32 {
    guard let settings = unsafe settings else {
        return Status.param.rawValue
    }
    return unsafe SecKeychainCopySettings(
        object(keychain), settings.assumingMemoryBound(to: SecKeychainSettings.self))
}

@c(SecKeychainSetUserInteractionAllowed)
public func cSecKeychainSetUserInteractionAllowed(_ state: UInt8) -> Int32 {
    SecKeychainSetUserInteractionAllowed(state != 0)
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainGetUserInteractionAllowed)
public func cSecKeychainGetUserInteractionAllowed(_ state: UnsafeMutablePointer<UInt8>?) -> Int32 {
    var isAllowed = false
    let status = unsafe SecKeychainGetUserInteractionAllowed(&isAllowed)
    unsafe state?.pointee = isAllowed ? 1 : 0
    return status
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainAddGenericPassword)
public func cSecKeychainAddGenericPassword(
    _ keychain: UnsafeRawPointer?, _ serviceLength: UInt32, _ service: UnsafePointer<CChar>?,
    _ accountLength: UInt32, _ account: UnsafePointer<CChar>?, _ passwordLength: UInt32,
    _ password: UnsafeRawPointer?, _ item: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
    unsafe giving(item) { place in
        unsafe SecKeychainAddGenericPassword(
            object(keychain), serviceLength, service, accountLength, account, passwordLength,
            password, place)
    }
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainFindGenericPassword)
public func cSecKeychainFindGenericPassword(
    _ keychain: UnsafeRawPointer?, _ serviceLength: UInt32, _ service: UnsafePointer<CChar>?,
    _ accountLength: UInt32, _ account: UnsafePointer<CChar>?,
    _ passwordLength: UnsafeMutablePointer<UInt32>?,
    _ password: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ item: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
    unsafe giving(item) { place in
        unsafe SecKeychainFindGenericPassword(
            object(keychain), serviceLength, service, accountLength, account, passwordLength,
            password, place)
    }
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainAddInternetPassword)
public func cSecKeychainAddInternetPassword(
    _ keychain: UnsafeRawPointer?, _ serverLength: UInt32, _ server: UnsafePointer<CChar>?,
    _ domainLength: UInt32, _ domain: UnsafePointer<CChar>?, _ accountLength: UInt32,
    _ account: UnsafePointer<CChar>?, _ pathLength: UInt32, _ path: UnsafePointer<CChar>?,
    _ port: UInt16, _ protocolCode: UInt32, _ authenticationCode: UInt32, _ passwordLength: UInt32,
    _ password: UnsafeRawPointer?, _ item: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
    unsafe giving(item) { place in
        unsafe SecKeychainAddInternetPassword(
            object(keychain), serverLength, server, domainLength, domain, accountLength, account,
            pathLength, path,
            port, SecProtocolType(rawValue: protocolCode),
            SecAuthenticationType(rawValue: authenticationCode),
            passwordLength, password, place)
    }
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainFindInternetPassword)
public func cSecKeychainFindInternetPassword(
    _ keychain: UnsafeRawPointer?, _ serverLength: UInt32, _ server: UnsafePointer<CChar>?,
    _ domainLength: UInt32, _ domain: UnsafePointer<CChar>?, _ accountLength: UInt32,
    _ account: UnsafePointer<CChar>?, _ pathLength: UInt32, _ path: UnsafePointer<CChar>?,
    _ port: UInt16, _ protocolCode: UInt32, _ authenticationCode: UInt32,
    _ passwordLength: UnsafeMutablePointer<UInt32>?,
    _ password: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ item: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
    unsafe giving(item) { place in
        unsafe SecKeychainFindInternetPassword(
            object(keychain), serverLength, server, domainLength, domain, accountLength, account,
            pathLength, path,
            port, SecProtocolType(rawValue: protocolCode),
            SecAuthenticationType(rawValue: authenticationCode),
            passwordLength, password, place)
    }
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainItemModifyAttributesAndData)
public func cSecKeychainItemModifyAttributesAndData(
    _ item: UnsafeRawPointer?, _ list: UnsafeRawPointer?, _ length: UInt32,
    _ data: UnsafeRawPointer?
) -> Int32 {
    guard let item: SecKeychainItem = unsafe object(item) else {
        return Status.param.rawValue
    }
    return unsafe SecKeychainItemModifyAttributesAndData(
        item, list?.assumingMemoryBound(to: SecKeychainAttributeList.self), length, data)
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainItemModifyContent)
public func cSecKeychainItemModifyContent(
    _ item: UnsafeRawPointer?, _ list: UnsafeRawPointer?, _ length: UInt32,
    _ data: UnsafeRawPointer?
) -> Int32 {
    guard let item: SecKeychainItem = unsafe object(item) else {
        return Status.param.rawValue
    }
    return unsafe SecKeychainItemModifyContent(
        item, list?.assumingMemoryBound(to: SecKeychainAttributeList.self), length, data)
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainItemCopyContent)
public func cSecKeychainItemCopyContent(
    _ item: UnsafeRawPointer?, _ itemClass: UnsafeMutablePointer<UInt32>?,
    _ list: UnsafeMutableRawPointer?, _ length: UnsafeMutablePointer<UInt32>?,
    _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 {
    guard let item: SecKeychainItem = unsafe object(item) else {
        return Status.param.rawValue
    }
    var code = SecItemClass(rawValue: 0)
    let status = unsafe SecKeychainItemCopyContent(
        item, &code, list?.assumingMemoryBound(to: SecKeychainAttributeList.self), length, data)
    unsafe itemClass?.pointee = code.rawValue
    return status
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainItemFreeContent)
public func cSecKeychainItemFreeContent(
    _ list: UnsafeMutableRawPointer?, _ data: UnsafeMutableRawPointer?
) -> Int32 {
    unsafe SecKeychainItemFreeContent(
        list?.assumingMemoryBound(to: SecKeychainAttributeList.self), data)
}

// Safe: the caller's memory, and a reference that is not released, as the header says.
@c(SecKeychainItemDelete)
public func cSecKeychainItemDelete(_ item: UnsafeRawPointer?) -> Int32 {
    guard let item: SecKeychainItem = unsafe object(item) else {
        return Status.param.rawValue
    }
    return SecKeychainItemDelete(item)
}
