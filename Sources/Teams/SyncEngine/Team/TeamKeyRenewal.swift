internal import LanyardCryptography
internal import LanyardSecrets

/// A new generation of the team's key, as the roster has it: encrypted to each device that stays, with
/// the key before it encrypted under the new one.
package struct TeamKeyRenewal: Hashable, Sendable {
    /// The generation: 1 for the first.
    package let generation: UInt32
    /// A digest under the key, which proves that every device got the same one.
    let commitment: [UInt8]
    /// The previous generation's key in a ``SealedBox`` under this one; empty for the first.
    let previous: [UInt8]
    /// For each device the key, encrypted to it.
    private(set) var boxes: [Identifier: [UInt8]]

    /// Encrypts a key to devices.
    init(
        _ key: borrowing Secret, generation: UInt32, previous: borrowing Secret?,
        to devices: [DeviceCard]
    ) throws(KeychainError) {
        self.generation = generation
        commitment = TeamKeyRenewal.commitment(to: key, generation)
        switch previous {
        case .some(let previous):
            self.previous = try previous.withBytes { (bytes) throws(KeychainError) in
                try SealedBox.seal(
                    bytes, under: TeamKeyRenewal.chainKey(key),
                    associatedData: generation.bigEndianBytes)
            }
        case .none:
            self.previous = []
        }
        var boxes: [Identifier: [UInt8]] = [:]
        for device in devices {
            boxes[device.id] = try TeamKeyRenewal.box(key, generation, to: device)
        }
        self.boxes = boxes
    }

    /// The renewal without what is for each device.
    var withoutBoxes: TeamKeyRenewal {
        var renewal = self
        renewal.boxes = [:]
        return renewal
    }

    /// Returns a key encrypted to a device. The box says for whom and for which generation it is.
    static func box(
        _ key: borrowing Secret, _ generation: UInt32, to device: DeviceCard
    ) throws(KeychainError) -> [UInt8] {
        var content = SecretBuilder(capacity: 128)
        content.append(beginning(generation, device.id).span)
        content.append(key)
        return try EncryptionKey.seal(content.finish(), to: device.encryptionKey)
    }

    /// Returns the key of a box for this device.
    ///
    /// - Throws: ``Status/decode`` if the box is for another device or generation, or was changed.
    static func open(
        _ box: [UInt8], _ generation: UInt32, _ device: DeviceIdentity
    ) throws(KeychainError) -> Secret {
        let content = try device.open(box)
        let beginning = beginning(generation, device.id)
        let isRight = content.withBytes { content in
            content.count == beginning.count + SealedBox.keySize
                && beginning.indices.allSatisfy { content[$0] == beginning[$0] }
        }
        guard isRight else {
            throw KeychainError(.decode)
        }
        return content.dropping(beginning.count)
    }

    /// Returns the previous generation's key.
    ///
    /// - Throws: ``Status/decode`` if it is not under this key.
    func openPrevious(_ key: borrowing Secret) throws(KeychainError) -> Secret {
        try SealedBox.open(
            previous.span, under: TeamKeyRenewal.chainKey(key),
            associatedData: generation.bigEndianBytes)
    }

    /// Whether a key is the one that this renewal announced.
    func isKey(_ key: borrowing Secret) -> Bool {
        commitment.hasSameBytes(as: TeamKeyRenewal.commitment(to: key, generation))
    }

    private static func beginning(_ generation: UInt32, _ device: Identifier) -> [UInt8] {
        Array("lanyard team key".utf8) + generation.bigEndianBytes + device.bytes
    }

    private static func commitment(to key: borrowing Secret, _ generation: UInt32) -> [UInt8] {
        let derived = KeyDerivation.derive(
            key, label: "lanyard team key commitment", context: generation.bigEndianBytes.span)
        return derived.withBytes { ByteString(copying: $0).bytes }
    }

    private static func chainKey(_ key: borrowing Secret) -> Secret {
        KeyDerivation.derive(key, label: "lanyard team previous key")
    }

    func append(to writer: inout ByteWriter) {
        writer.number(generation)
        writer.raw(commitment)
        writer.counted(previous)
        writer.number(UInt32(boxes.count))
        for (device, box) in boxes.sorted(by: { $0.key < $1.key }) {
            writer.raw(device.bytes)
            writer.counted(box)
        }
    }

    /// Reads a renewal.
    ///
    /// - Throws: ``Status/decode`` for anything that ``append(to:)`` does not write.
    init(reading reader: inout ByteReader) throws(KeychainError) {
        generation = try reader.number()
        commitment = try reader.raw(KeyedDigest.size)
        previous = try reader.counted()
        var boxes: [Identifier: [UInt8]] = [:]
        var last: Identifier?
        for _ in 0..<(try reader.number(UInt32.self)) {
            let device = try Identifier(reading: &reader)
            if let last, last >= device {
                throw KeychainError(.decode)
            }
            boxes[device] = try reader.counted()
            last = device
        }
        self.boxes = boxes
    }
}
