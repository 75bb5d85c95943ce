internal import Glibc
internal import LinuxSystem
internal import LanyardSecrets

/// A FIDO2 security key: its extension hmac-secret computes a secret from a salt after a touch.
///
/// The key asks for no PIN of its own accord unless it is set up to: what is shown is that the user is here. If it
/// does want its PIN, fido2-tools ask for it at the terminal.
enum FIDO2Prover {
    /// The relying party: what security keys show, and hash into what they sign.
    private static let relyingParty = "lanyard.keychain"

    /// A security key that is plugged in.
    private struct Device {
        let path: String
        /// Its maker and product.
        let name: String
    }

    /// Throws if ``enroll(besides:show:until:)`` could not begin, without asking the user.
    ///
    /// - Throws: As ``enroll(besides:show:until:)``.
    static func check(besides known: [[UInt8]], until deadline: Deadline) throws(KeychainError) {
        _ = try FIDO2Tool("fido2-cred")
        _ = try FIDO2Tool("fido2-assert")
        _ = try FIDO2Prover.newDevice(besides: known, until: deadline)
    }

    /// Returns the security key to add: the one that is plugged in and not enrolled.
    private static func newDevice(
        besides known: [[UInt8]], until deadline: Deadline
    ) throws(KeychainError) -> Device {
        var duplicate: Device?
        var devices: [Device] = []
        for device in try FIDO2Prover.devices(until: deadline) {
            try checkAccess(device)
            var isKnown = false
            for data in known where !isKnown {
                isKnown = try knows(device, FIDO2Enrollment(data), until: deadline) == true
            }
            if isKnown {
                duplicate = device
            } else {
                devices.append(device)
            }
        }
        guard let device = devices.first else {
            throw duplicate.map { FIDO2Error.duplicate($0.name) } ?? FIDO2Error.noKey
        }
        guard devices.count == 1 else {
            throw KeychainError(
                .param, "several security keys are plugged in",
                hint: "leave only the one that you want to add")
        }
        return device
    }

    /// Enrolls a device.
    ///
    /// - Parameters:
    ///   - known: The enrollments that are there: none may be of the same device.
    ///   - show: Shows a message to the user.
    /// - Throws: ``Status/duplicateItem`` if one is, ``Status/notAvailable`` without a device,
    ///   ``Status/userCanceled`` if the user refuses or does not answer in time, ``Status/interactionNotAllowed`` if
    ///   no user can be asked.
    static func enroll(
        besides known: [[UInt8]], show: (String) -> Void, until deadline: Deadline
    ) throws(KeychainError) -> PresenceProgram.Enrollment {
        let creation = try FIDO2Tool("fido2-cred")
        let device = try FIDO2Prover.newDevice(besides: known, until: deadline)
        show("touch the security key '\(device.name)' to add it")
        var credential: [UInt8]?
        try creation.run(
            ["-M", "-h", device.path],
            input: [
                try FIDO2Prover.random(), FIDO2Prover.relyingParty, "lanyard",
                try FIDO2Prover.random(),
            ], until: deadline
        ) { position, line in
            if position == 4 {
                credential = FIDO2Prover.decode(line)
            }
        }
        guard let credential, !credential.isEmpty else {
            throw FIDO2Error.error("", status: 0)
        }
        let enrollment = FIDO2Enrollment(
            salt: try RandomBytes.make(FIDO2Enrollment.saltSize), credential: credential)
        show("touch it again, to use it for the first time")
        let secret = try FIDO2Prover.secret(of: enrollment, device, until: deadline)
        return PresenceProgram.Enrollment(
            data: enrollment.encoded, name: device.name, secret: secret)
    }

    /// Asks for the secret of one of some enrollments.
    ///
    /// - Throws: ``Status/itemNotFound`` if none of these devices is here, and as ``enroll(besides:show:until:)``.
    static func prove(
        _ enrollments: [[UInt8]], show: (String) -> Void, until deadline: Deadline
    ) throws(KeychainError) -> PresenceProgram.Proof {
        let devices = try FIDO2Prover.devices(until: deadline)
        guard !devices.isEmpty else {
            throw FIDO2Error.noKey
        }
        var failure: KeychainError?
        // What devices may have made that don't say so without a touch.
        var guesses: [(device: Device, enrollment: FIDO2Enrollment, index: Int)] = []
        for device in devices {
            do throws(KeychainError) {
                try FIDO2Prover.checkAccess(device)
                for (index, data) in enrollments.enumerated() {
                    let enrollment = try FIDO2Enrollment(data)
                    switch try FIDO2Prover.knows(device, enrollment, until: deadline) {
                    case true?:
                        show("touch the security key '\(device.name)'")
                        return PresenceProgram.Proof(
                            index: index,
                            secret: try FIDO2Prover.secret(of: enrollment, device, until: deadline))
                    case nil: guesses.append((device, enrollment, index))
                    case false?: break
                    }
                }
            } catch {
                try FIDO2Prover.checkGoesOn(after: error, &failure)
            }
        }
        for (device, enrollment, index) in guesses {
            show("touch the security key '\(device.name)'")
            do throws(KeychainError) {
                return PresenceProgram.Proof(
                    index: index,
                    secret: try FIDO2Prover.secret(of: enrollment, device, until: deadline))
            } catch {
                try FIDO2Prover.checkGoesOn(after: error, &failure)
            }
        }
        throw failure ?? FIDO2Error.wrongKey
    }

    /// Throws an error of one device unless another may still answer, and else notes it for the end.
    private static func checkGoesOn(
        after error: KeychainError, _ failure: inout KeychainError?
    ) throws(KeychainError) {
        switch error.status {
        // A foreign one; what is enrolled has hmac-secret.
        case .itemNotFound, .unimplemented: break
        case .notAvailable: failure = failure ?? error
        default: throw error
        }
    }

    /// How many milliseconds a device has to answer what takes no touch: most need a tenth of a second.
    private static let silentLimit: Int64 = 5000

    /// Returns whether a device made a credential, without a touch: some blink for a foreign one, too. Nil if it
    /// does not say.
    ///
    /// - Throws: ``Status/notAvailable`` if it does not answer.
    private static func knows(
        _ device: Device, _ enrollment: FIDO2Enrollment, until deadline: Deadline
    ) throws(KeychainError) -> Bool? {
        let limit = Deadline(milliseconds: min(silentLimit, deadline.remaining))
        do throws(KeychainError) {
            try FIDO2Tool("fido2-assert").run(
                ["-G", "-t", "up=false", device.path],
                input: [try random(), relyingParty, text(enrollment.credential)], until: limit
            ) { _, _ in }
            return true
        } catch {
            switch error.status {
            case .itemNotFound: return false
            // Some answer nothing without a PIN or a touch: then the real question decides.
            case .interactionNotAllowed, .unimplemented: return nil
            case .userCanceled where !limit.hasPassed: return nil
            case .userCanceled: throw FIDO2Error.error("", status: 0)
            default: throw error
            }
        }
    }

    private static func secret(
        of enrollment: FIDO2Enrollment, _ device: Device, until deadline: Deadline
    ) throws(KeychainError) -> Secret {
        var last: Secret?
        try FIDO2Tool("fido2-assert").run(
            ["-G", "-h", device.path],
            input: [
                try random(), relyingParty, text(enrollment.credential), text(enrollment.salt),
            ], until: deadline
        ) { _, line in
            last = line.copy()
        }
        guard let text = last.take(), let secret = text.withBytes({ Base64.decode($0) }),
            secret.count == 32
        else {
            throw KeychainError(
                .unimplemented, "the security key gave no secret: it lacks hmac-secret",
                hint: "use one that supports FIDO2")
        }
        SystemCalls.lockInMemory(secret)
        return secret
    }

    /// What the kernel calls a security key, before its number.
    private static let devicePath = "/dev/hidraw"

    /// Returns the security keys that are plugged in.
    private static func devices(until deadline: Deadline) throws(KeychainError) -> [Device] {
        var devices: [Device] = []
        try FIDO2Tool("fido2-token").run(["-L"], until: deadline) { _, line in
            // /dev/hidraw0: vendor=0x1050, product=0x0407 (Yubico YubiKey)
            let text = line.withBytes {
                String(decoding: ByteString(copying: $0).bytes, as: UTF8.self)
            }
            guard let end = text.firstRange(of: ": ")?.lowerBound else {
                return
            }
            // The device's own text follows, with any line feed in it.
            let path = String(text[..<end])
            let number = path.utf8.dropFirst(FIDO2Prover.devicePath.utf8.count)
            guard path.hasPrefix(FIDO2Prover.devicePath), !number.isEmpty,
                number.allSatisfy({ $0.isDigit })
            else {
                return
            }
            let name = text.firstIndex(of: "(").map { text[text.index(after: $0)...] }
            let shown = String((name ?? "").prefix { $0 != ")" }.prefix(48))
                .filter { $0.isASCII && $0 >= " " && $0 != "'" }
            devices.append(Device(path: path, name: shown.isEmpty ? "FIDO2" : shown))
        }
        return devices
    }

    /// Throws if the user may not use a device.
    private static func checkAccess(_ device: Device) throws(KeychainError) {
        // Safe: the text lives as long as the call.
        guard device.path.hasPrefix("/dev/"), unsafe access(device.path, R_OK | W_OK) != 0,
            errno == EACCES
        else {
            return
        }
        throw KeychainError(
            .notAvailable, "you may not use the security key '\(device.path)'",
            hint:
                "install the rules for security keys: apt install libfido2-1, then plug it in again"
        )
    }

    /// 32 random bytes: what the device signs, and the user that it knows. Nothing checks either.
    private static func random() throws(KeychainError) -> String { text(try RandomBytes.make(32)) }

    private static func text(_ bytes: [UInt8]) -> String {
        Base64.encode(bytes.span).withBytes {
            String(decoding: ByteString(copying: $0).bytes, as: UTF8.self)
        }
    }

    private static func decode(_ line: borrowing Secret) -> [UInt8]? {
        line.withBytes { Base64.decode($0) }?.withBytes { ByteString(copying: $0).bytes }
    }
}
