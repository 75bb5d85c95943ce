internal import LanyardConfiguration
internal import KeychainServices
internal import Keychains
internal import SealedStore

/// Writes the version of this interface, 2.
@discardableResult
public func SecKeychainGetVersion(_ returnVers: UnsafeMutablePointer<UInt32>) -> Int32 {
    // Safe: the caller's memory, as the function's contract says.
    unsafe returnVers.pointee = 2
    return Status.success.rawValue
}

/// Makes a keychain in a sealed file.
///
/// - Parameters:
///   - pathName: A name, for a file in the user's folder for keychains; or an absolute path, which
///     becomes a keychain of the configuration.
///   - password: The passphrase; none makes a keychain that is always unlocked.
///   - promptUser: Must be false: Lanyard asks only for existing passphrases.
///   - initialAccess: Ignored. Access groups separate programs.
@discardableResult
public func SecKeychainCreate(
    _ pathName: UnsafePointer<CChar>, _ passwordLength: UInt32, _ password: UnsafeRawPointer?,
    _ promptUser: Bool, _ initialAccess: AnyObject?,
    _ keychain: UnsafeMutablePointer<SecKeychain?>?
) -> Int32 {
    status { () throws(KeychainError) in
        guard !promptUser else {
            throw KeychainError(.unimplemented)
        }
        // Safe: the caller's text and memory.
        let path = try unsafe KeychainPath(String(cString: pathName))
        let password = unsafe Secret(passwordLength, password)
        var keychains = try UserKeychains()
        if password.count > 0 {
            try keychains.create(path.name, file: path.file, passphrase: password)
        } else {
            try keychains.create(path.name, file: path.file)
        }
        unsafe keychain?.pointee = SecKeychain(name: path.name)
    }
}

/// Opens a keychain by its name or absolute path. Nothing is read before it is used.
@discardableResult
public func SecKeychainOpen(
    _ pathName: UnsafePointer<CChar>, _ keychain: UnsafeMutablePointer<SecKeychain?>
) -> Int32 {
    status { () throws(KeychainError) in
        // Safe: the caller's text and memory.
        let path = try unsafe KeychainPath(String(cString: pathName))
        unsafe keychain.pointee = SecKeychain(name: try path.known(to: Configuration()))
    }
}

/// Returns the keychain that new items go to.
@discardableResult
public func SecKeychainCopyDefault(_ keychain: UnsafeMutablePointer<SecKeychain?>) -> Int32 {
    status { () throws(KeychainError) in
        let name = try UserKeychains().defaultName()
        // Safe: the caller's memory.
        unsafe keychain.pointee = SecKeychain(name: name)
    }
}

/// Makes a keychain the user's default, for every program.
@discardableResult
public func SecKeychainSetDefault(_ keychain: SecKeychain?) -> Int32 {
    status { () throws(KeychainError) in
        guard let keychain else {
            throw KeychainError(.param)
        }
        var keychains = try UserKeychains()
        try keychains.setDefault(keychain.name)
        ProgramKeychains.closeAll()
    }
}

/// Deletes a keychain with everything in it.
@discardableResult
public func SecKeychainDelete(_ keychainOrArray: SecKeychain?) -> Int32 {
    status { () throws(KeychainError) in
        guard let keychain = keychainOrArray else {
            throw KeychainError(.param)
        }
        var keychains = try UserKeychains()
        try keychains.delete(keychain.name)
        ProgramKeychains.closeAll()
    }
}

/// Writes the path of a keychain's file with a NUL at its end.
///
/// - Parameter ioPathLength: The size of the memory; then the path's length without the NUL, also
///   if there is no room for it, which is errSecBufferTooSmall.
@discardableResult
public func SecKeychainGetPath(
    _ keychain: SecKeychain?, _ ioPathLength: UnsafeMutablePointer<UInt32>,
    _ pathName: UnsafeMutablePointer<CChar>
) -> Int32 {
    status { () throws(KeychainError) in
        let configuration = try Configuration()
        let name = try keychain.named(in: configuration)
        let path = try configuration.location(ofKeychain: name).file
        // Safe: the caller's memory, within the size that the caller gives.
        let room = unsafe Int(ioPathLength.pointee)
        unsafe ioPathLength.pointee = UInt32(path.utf8.count)
        guard path.utf8.count < room else {
            throw KeychainError(Status(rawValue: -25301))
        }
        for (place, byte) in (Array(path.utf8) + [0]).enumerated() {
            unsafe pathName[place] = CChar(bitPattern: byte)
        }
    }
}

/// Writes what a keychain allows now, as bits.
@discardableResult
public func SecKeychainGetStatus(
    _ keychain: SecKeychain?, _ keychainStatus: UnsafeMutablePointer<SecKeychainStatus>
) -> Int32 {
    status { () throws(KeychainError) in
        let keychains = try UserKeychains()
        let name = try keychain.named(in: keychains.configuration)
        let bits =
            try keychains.isLocked(name)
            ? kSecReadPermStatus : kSecUnlockStateStatus | kSecReadPermStatus | kSecWritePermStatus
        // Safe: the caller's memory.
        unsafe keychainStatus.pointee = bits
    }
}

/// Locks a keychain for all programs of the user.
///
/// - Parameter keychain: Nil for the one that `lanyard lock` locks.
@discardableResult
public func SecKeychainLock(_ keychain: SecKeychain?) -> Int32 {
    status { () throws(KeychainError) in
        let keychains = try UserKeychains()
        try keychains.lock(try keychain.named(in: keychains.configuration))
        ProgramKeychains.closeAll()
    }
}

/// Locks every keychain for all programs of the user.
@discardableResult
public func SecKeychainLockAll() -> Int32 {
    status { () throws(KeychainError) in
        try UserKeychains.lockAll()
        ProgramKeychains.closeAll()
    }
}

/// Unlocks a keychain for all programs of the user, as `lanyard unlock` does.
///
/// - Parameters:
///   - keychain: Nil for the one that `lanyard unlock` unlocks.
///   - usePassword: Whether to use the password; otherwise the user is asked.
@discardableResult
public func SecKeychainUnlock(
    _ keychain: SecKeychain?, _ passwordLength: UInt32, _ password: UnsafeRawPointer?,
    _ usePassword: Bool
) -> Int32 {
    status { () throws(KeychainError) in
        defer { ProgramKeychains.closeAll() }
        var configuration = try Configuration()
        let name = try keychain.named(in: configuration)
        if !Keychain.isUserInteractionAllowed {
            configuration = configuration.withoutAsking
        }
        let keychains = UserKeychains(configuration)
        guard usePassword else {
            return try keychains.unlock(name)
        }
        guard try configuration.kind(ofKeychain: name) == .sealed else {
            throw KeychainError(.unimplemented)
        }
        // Safe: the caller's memory.
        try keychains.unlock(name, passphrase: unsafe Secret(passwordLength, password))
    }
}

/// Sets whether keychains may ask the user in this process, at first true. LANYARD_NO_PROMPT forbids it, too.
@discardableResult
public func SecKeychainSetUserInteractionAllowed(_ state: Bool) -> Int32 {
    Keychain.isUserInteractionAllowed = state
    return Status.success.rawValue
}

/// Writes what ``SecKeychainSetUserInteractionAllowed(_:)`` set.
@discardableResult
public func SecKeychainGetUserInteractionAllowed(_ state: UnsafeMutablePointer<Bool>) -> Int32 {
    // Safe: the caller's memory.
    unsafe state.pointee = Keychain.isUserInteractionAllowed
    return Status.success.rawValue
}

extension SecKeychain? {
    /// Returns the keychain's name; without one, the name that `lanyard unlock` would take.
    func named(in configuration: Configuration) throws(KeychainError) -> String {
        if let self { self.name } else { try configuration.sealedKeychain(flag: nil) }
    }
}

extension Secret {
    /// Creates a secret from a caller's memory, empty without one.
    @unsafe  // Safe: callers pass memory as they got it.
    package init(_ length: UInt32, _ bytes: UnsafeRawPointer?) {
        // Safe: the caller says how long it is, and it is copied.
        unsafe self.init(
            copying: Span(
                _unsafeBytes: UnsafeRawBufferPointer(
                    start: bytes, count: bytes == nil ? 0 : Int(length))))
    }
}
