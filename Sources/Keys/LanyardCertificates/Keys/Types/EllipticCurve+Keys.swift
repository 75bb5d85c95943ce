internal import CLibcrypto
internal import LanyardSecrets

extension EllipticCurve {
    /// Returns a new public key of an uncompressed point.
    ///
    /// - Throws: ``Status/invalidKeyFormat`` if the point is not on the curve.
    func makePublicKey(point: Span<UInt8>) throws(KeychainError) -> LibcryptoKey {
        guard point.count == pointByteCount, point[0] == 4 else {
            throw .invalidKeyFormat
        }
        let parameters = try KeyParameters()
        try parameters.add("group", name)
        return try parameters.makeKey("EC", .publicKey, "pub", point)
    }

    /// Returns a new private key.
    func makePrivateKey(
        scalar: borrowing BigNumber, point: Span<UInt8>
    ) throws(KeychainError) -> LibcryptoKey {
        let parameters = try KeyParameters()
        try parameters.add("group", name)
        try parameters.add("priv", scalar)
        return try parameters.makeKey("EC", .keyPair, "pub", point)
    }

    /// Returns the number of the curve's points; private keys are less.
    func order() throws(KeychainError) -> BigNumber {
        // Safe: all of them live during the call.
        try unsafe withGroup { group throws(KeychainError) in
            let order = try BigNumber()
            try Libcrypto.check(
                unsafe EC_GROUP_get_order(group, order.pointer, nil), .allocate)
            return order
        }
    }

    /// Returns the uncompressed point of a private key.
    ///
    /// - Throws: ``Status/invalidKeyFormat`` for 0 and for numbers not below the curve's order.
    func point(of scalar: borrowing BigNumber) throws(KeychainError) -> [UInt8] {
        let order = try order()
        // Safe: all of them live during the calls.
        return try unsafe withGroup { group throws(KeychainError) in
            guard !scalar.isZero, scalar.isLess(than: order) else {
                throw .invalidKeyFormat
            }
            return try unsafe withPoint(of: group) { point throws(KeychainError) in
                let arithmetic = try BigNumberArithmetic()
                try Libcrypto.check(
                    unsafe EC_POINT_mul(
                        group, point, scalar.pointer, nil, nil, arithmetic.pointer),
                    .invalidKeyFormat)
                return try unsafe uncompressed(point, of: group)
            }
        }
    }

    /// Returns the uncompressed form of a point, which may be compressed.
    ///
    /// - Throws: ``Status/invalidKeyFormat`` if the point is not on the curve.
    func uncompressed(_ bytes: Span<UInt8>) throws(KeychainError) -> [UInt8] {
        guard bytes.count == pointByteCount || bytes.count == 1 + byteCount else {
            throw .invalidKeyFormat
        }
        // Safe: the bytes are read during the call only.
        return try unsafe withGroup { group throws(KeychainError) in
            try unsafe withPoint(of: group) { point throws(KeychainError) in
                let result = unsafe bytes.withUnsafeBufferPointer {
                    unsafe EC_POINT_oct2point(group, point, $0.baseAddress, $0.count, nil)
                }
                try Libcrypto.check(result, .invalidKeyFormat)
                return try unsafe uncompressed(point, of: group)
            }
        }
    }

    private func withGroup<Result: ~Copyable>(
        _ body: (OpaquePointer) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        Libcrypto.start()
        // Safe: freed at the end.
        guard let group = unsafe EC_GROUP_new_by_curve_name(number) else {
            throw Libcrypto.error(.allocate)
        }
        defer { unsafe EC_GROUP_free(group) }
        return try unsafe body(group)
    }

    private func withPoint<Result>(
        of group: OpaquePointer, _ body: (OpaquePointer) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        // Safe: freed at the end.
        guard let point = unsafe EC_POINT_new(group) else {
            throw Libcrypto.error(.allocate)
        }
        defer { unsafe EC_POINT_clear_free(point) }
        return try unsafe body(point)
    }

    private func uncompressed(
        _ point: OpaquePointer, of group: OpaquePointer
    ) throws(KeychainError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: pointByteCount)
        // Safe: there is room for the uncompressed point.
        let count = unsafe EC_POINT_point2oct(
            group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, nil)
        // The point at infinity is shorter.
        guard count == bytes.count else {
            throw Libcrypto.error(.invalidKeyFormat)
        }
        return bytes
    }
}
