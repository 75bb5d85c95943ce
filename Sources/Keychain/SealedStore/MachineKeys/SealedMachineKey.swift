internal import LanyardCryptography
internal import KeychainServices
internal import LinuxSystem

/// A machine key that systemd has encrypted for this user on this machine.
///
/// It is decrypted once per boot and login: the kernel's keyring then has it for all programs of the
/// user, encrypted under a key made of one in the file, the machine's boot and the login token. A
/// container of the same user therefore can't use it without the file.
struct SealedMachineKey {
    /// The id of the decrypted key, 16 bytes.
    let id: [UInt8]
    /// The key for the kernel's keyring, 32 bytes.
    let keyringKey: [UInt8]
    /// What systemd decrypts.
    let blob: [UInt8]

    /// The name of this form.
    static let kind = Array("systemd".utf8)
    /// The name under which systemd encrypts it.
    private static let name: ByteString = "lanyard.machine-key"

    /// Encrypts a key, and makes sure that it can be decrypted.
    init(
        _ key: MachineKey, with service: SystemdCredentials
    ) throws(KeychainError) {
        id = key.id
        keyringKey = try RandomBytes.make(32)
        do throws(SystemdRefusal) {
            blob = try service.encrypt(key.key, name: SealedMachineKey.name)
            let decrypted = try service.decrypt(blob, name: SealedMachineKey.name)
            guard decrypted.isEqual(to: key.key) else {
                throw .nonsense
            }
        } catch {
            throw KeychainError(
                .notAvailable, "the machine key can't be sealed: \(error.reason)")
        }
    }

    /// Reads the form that ``encode(to:)`` writes.
    init(from reader: inout ByteReader) throws(KeychainError) {
        id = try reader.raw(16)
        keyringKey = try reader.raw(32)
        blob = try reader.counted()
        guard (17...SystemdCredentials.blobLimit).contains(blob.count) else {
            throw KeychainError(.decode)
        }
    }

    func encode(to writer: inout ByteWriter) {
        writer.raw(id)
        writer.raw(keyringKey)
        writer.counted(blob)
    }

    /// What it is sealed to.
    var sealedTo: SealedTo { SealedTo(blob: blob) }

    /// Returns the key from the kernel's keyring, or decrypts it. One process of the user asks systemd
    /// while the others wait for its result: systemd resets the connections of more than 16.
    ///
    /// - Parameter stateFolder: The folder of the lock.
    func unseal(
        with service: SystemdCredentials, stateFolder: String
    ) throws(SystemdRefusal) -> Secret {
        let deadline = Deadline(milliseconds: SystemdCredentials.timeLimit)
        switch cached {
        case .key(let key): return key
        // Without a keyring there is no result to wait for.
        case .refused: return try decrypt(with: service, until: deadline)
        case .missing: break
        }
        if let refusal = lastRefusal {
            throw refusal
        }
        let lock = MachineKeyLock(stateFolder: stateFolder)
        while !lock.isTaken() {
            guard !deadline.hasPassed else {
                throw .silent
            }
            SystemCalls.sleep(milliseconds: 10)
            if case .key(let key) = cached {
                return key
            }
            if let refusal = lastRefusal {
                throw refusal
            }
        }
        if case .key(let key) = cached {
            return key
        }
        if let refusal = lastRefusal {
            throw refusal
        }
        do throws(SystemdRefusal) {
            let key = try decrypt(with: service, until: deadline)
            publish(key)
            _ = consume lock
            return key
        } catch {
            note(error)
            throw error
        }
    }

    /// For how many seconds other programs take a refusal for theirs: many at once must not ask a TPM that is locked
    /// already, one after the other.
    private static let secondsOfRefusal: UInt32 = 2

    private var refusalDescription: String { "\(description):refused" }

    /// Nothing in another use of the key has it.
    private var refusalData: [UInt8] { id + Array("refused".utf8) }

    /// The last refusal. Its end is in the box: a process without the key's file can leave the entry there for ever.
    private var lastRefusal: SystemdRefusal? {
        guard let box = try? KernelKeyring.read(refusalDescription),
            let boxKey = boxKey(try? LoginToken.read()),
            let content = try? SealedBox.open(
                box.span, under: boxKey, associatedData: refusalData)
        else {
            return nil
        }
        var reader = ByteReader(content.withBytes { ByteString(copying: $0).bytes })
        guard let end = try? reader.number(UInt64.self),
            end > UInt64(SystemCalls.monotonicMilliseconds()),
            let number = try? reader.number(UInt64.self), let name = try? reader.counted()
        else {
            return nil
        }
        return name.isEmpty
            ? .silent
            : .refused(ByteString(name), number: number == .max ? nil : Int64(clamping: number))
    }

    private func note(_ refusal: SystemdRefusal) {
        var writer = ByteWriter()
        writer.number(
            UInt64(SystemCalls.monotonicMilliseconds())
                + UInt64(SealedMachineKey.secondsOfRefusal) * 1000)
        switch refusal {
        case .missing, .unreachable, .nonsense: return
        case .silent:
            writer.number(UInt64.max)
            writer.counted([])
        case .refused(let name, let number):
            writer.number(number.map { UInt64(clamping: $0) } ?? .max)
            writer.counted(Array(name.bytes.prefix(200)))
        }
        guard let boxKey = boxKey(try? LoginToken.readOrMake()),
            let box = try? SealedBox.seal(
                writer.bytes.span, under: boxKey, associatedData: refusalData)
        else {
            return
        }
        try? KernelKeyring.publish(
            box, as: refusalDescription, timeout: SealedMachineKey.secondsOfRefusal)
    }

    private func decrypt(
        with service: SystemdCredentials, until deadline: Deadline
    ) throws(SystemdRefusal) -> Secret {
        let key = try service.decrypt(blob, name: SealedMachineKey.name, until: deadline)
        guard MachineKey.id(of: key) == id else {
            throw .nonsense
        }
        return key
    }

    /// What the kernel's keyring has.
    private enum Cached: ~Copyable {
        case key(Secret)
        case missing
        case refused
    }

    private var cached: Cached {
        let box: [UInt8]
        do throws(KeychainError) {
            guard let found = try KernelKeyring.read(description) else {
                return .missing
            }
            box = found
        } catch {
            return .refused
        }
        guard let boxKey = boxKey(try? LoginToken.read()),
            let key = try? SealedBox.open(box.span, under: boxKey, associatedData: id),
            MachineKey.id(of: key) == id
        else {
            return .missing
        }
        return .key(key)
    }

    /// Stores the key in the kernel's keyring for other programs; they ask systemd if that fails.
    private func publish(_ key: borrowing Secret) {
        guard let boxKey = boxKey(try? LoginToken.readOrMake()),
            let box = try? key.withBytes({ bytes throws(KeychainError) in
                try SealedBox.seal(bytes, under: boxKey, associatedData: id)
            })
        else {
            return
        }
        try? KernelKeyring.publish(box, as: description, timeout: nil)
    }

    /// Removes the key from the kernel's keyring.
    func forget() {
        try? KernelKeyring.revoke(description)
        try? KernelKeyring.revoke(refusalDescription)
    }

    private var description: String { "lanyard:machine-key:\(Hexadecimal.encode(id))" }

    /// Returns the key for the kernel's keyring, nil if the boot is unknown.
    private func boxKey(_ token: consuming Secret?) -> Secret? {
        guard let bootID = try? SystemCalls.bootID() else {
            return nil
        }
        var context = SecretBuilder(capacity: 128)
        context.append(bootID.span)
        switch consume token {
        case .some(let token): context.append(token)
        case .none: break
        }
        let key = Secret(copying: keyringKey.span)
        return context.finish().withBytes { context in
            KeyDerivation.derive(key, label: "lanyard unsealed machine key", context: context)
        }
    }
}
