import Foundation
import LanyardSecrets
import Testing

@testable import LanyardCertificates

/// What NIST's own response files say of signatures, keys, key exchange and wrapped keys.
@Suite(.enabled(if: ResponseFile.folder != nil)) struct NISTVectorTests {
    private static let curves = "asymmetric/ECDSA"
    private static let rsa = "asymmetric/RSA"
    /// The fields of an RSA file that apply to the vectors after them.
    private static let keyFields: Set<String> = ["n", "e", "d", "p", "q"]

    /// The curve and the digest of a heading such as `P-256,SHA-1`, nil for other ones.
    private func parts(_ heading: String?) -> (EllipticCurve, DigestAlgorithm)? {
        let parts = (heading ?? "").split(separator: ",")
        // FIPS 186-2 has SHA-1 alone.
        let digest = parts.count == 2 ? String(parts[1].filter { $0 != "-" }) : "SHA1"
        guard let name = parts.first, name.hasPrefix("P-"), let size = Int(name.dropFirst(2)),
            let curve = EllipticCurve(sizeInBits: size),
            let digest = DigestAlgorithm(rawValue: digest)
        else {
            return nil
        }
        return (curve, digest)
    }

    private func point(
        _ curve: EllipticCurve, _ vector: ResponseFile.Vector, _ x: String = "Qx",
        _ y: String = "Qy"
    ) throws -> [UInt8] {
        try [4] + vector.number(x, byteCount: curve.byteCount)
            + vector.number(y, byteCount: curve.byteCount)
    }

    private func publicKey(
        _ curve: EllipticCurve, _ vector: ResponseFile.Vector
    ) throws -> PublicKey {
        let point = try point(curve, vector)
        return try PublicKey(externalRepresentation: point.span, type: .ellipticCurve)
    }

    @Test(arguments: [
        "\(curves)/FIPS_186-2/SigVer.rsp", "\(curves)/FIPS_186-3/SigVer.rsp",
        "\(curves)/FIPS_186-2/SigGen.rsp", "\(curves)/FIPS_186-3/SigGen.rsp",
    ]) func verifiesSignaturesOfCurves(_ path: String) throws {
        var tally = Tally(path)
        for vector in try ResponseFile(path).vectors {
            guard let (curve, digest) = parts(vector.headings.last) else {
                tally.leaveOut()
                continue
            }
            let key = try? publicKey(curve, vector)
            let signature =
                try vector.number("R", byteCount: curve.byteCount)
                + vector.number("S", byteCount: curve.byteCount)
            let accepted = try key?.accepts(
                signature, of: vector.bytes("Msg"),
                KeyAlgorithm(.ecdsa(.message, .rfc4754, digest)))
            #expect((accepted ?? false) == vector.isValid, "\(vector)")
            tally.count(vector)
        }
        tally.close()
    }

    /// A private key's public key is NIST's, which accepts what the private key signs.
    @Test(arguments: [
        "\(curves)/FIPS_186-2/SigGen.txt", "\(curves)/FIPS_186-3/SigGen.txt",
        "\(curves)/FIPS_186-2/KeyPair.rsp", "\(curves)/FIPS_186-3/KeyPair.rsp",
    ]) func signsWithCurves(_ path: String) throws {
        var tally = Tally(path)
        for vector in try ResponseFile(path, shared: ["N"]).vectors {
            guard let (curve, digest) = parts(vector.headings.first) else {
                tally.leaveOut()
                continue
            }
            let scalar = try vector.number("d", byteCount: curve.byteCount)
            let key = try PrivateKey.ellipticCurve(
                curve, scalar: scalar.span, point: point(curve, vector))
            let message = (try? vector.bytes("Msg")) ?? []
            let algorithm = KeyAlgorithm(
                .ecdsa(.message, .rfc4754, digest == .sha1 ? .sha256 : digest))
            let signature = try key.sign(message.span, algorithm)
            #expect(
                try publicKey(curve, vector).accepts(signature, of: message, algorithm),
                "\(vector)")
            tally.count(vector)
        }
        tally.close()
    }

    @Test(arguments: ["\(curves)/FIPS_186-2/PKV.rsp", "\(curves)/FIPS_186-3/PKV.rsp"])
    func validatesPublicKeys(_ path: String) throws {
        var tally = Tally(path)
        for vector in try ResponseFile(path).vectors {
            guard let (curve, _) = parts(vector.headings.last) else {
                tally.leaveOut()
                continue
            }
            let key = try? publicKey(curve, vector)
            #expect((key != nil) == vector.isValid, "\(vector)")
            tally.count(vector)
        }
        tally.close()
    }

    /// The files, each with the length of its salt: Keychain Services has PSS with one as long as the digest
    /// alone, so all others are to be refused.
    @Test(arguments: [
        ("FIPS_186-2/SigVer15_186-3.rsp", nil), ("FIPS_186-2/SigGen15_186-2.rsp", nil),
        ("FIPS_186-2/SigGen15_186-3.rsp", nil),
        ("SigVer15EMTest.txt", nil), ("FIPS_186-2/SigVerPSS_186-3.rsp", 10),
        ("FIPS_186-2/SigGenPSS_186-2.rsp", 20),
        ("FIPS_186-2/SigGenPSS_186-3.rsp", 0),
    ]) func verifiesRSASignatures(_ name: String, _ saltLength: Int?) throws {
        let path = "\(Self.rsa)/\(name)"
        var tally = Tally(path)
        for vector in try ResponseFile(path, shared: Self.keyFields).vectors {
            let digest = try #require(DigestAlgorithm(rawValue: vector.fields["SHAAlg"] ?? ""))
            let hasSalt = saltLength.map { $0 == digest.byteCount } ?? true
            let accepted = try publicKey(vector).accepts(
                vector.bytes("S"), of: vector.bytes("Msg"),
                KeyAlgorithm(.rsaSignature(.message, saltLength == nil ? .pkcs1v15 : .pss, digest)))
            #expect(accepted == (hasSalt && vector.isValid), "\(vector)")
            if hasSalt {
                tally.count(vector)
            } else {
                tally.refuseSalt()
            }
        }
        tally.close()
    }

    /// PKCS #1 v1.5 signs in one way only; PSS with another salt each time.
    @Test(arguments: [
        ("FIPS_186-2/SigGen15_186-2.txt", KeyAlgorithm.SignaturePadding.pkcs1v15),
        ("FIPS_186-2/SigGenPSS_186-2.txt", .pss),
    ]) func signsWithRSA(_ name: String, _ padding: KeyAlgorithm.SignaturePadding) throws {
        let path = "\(Self.rsa)/\(name)"
        var tally = Tally(path)
        for vector in try ResponseFile(path, shared: Self.keyFields).vectors {
            let digest = try #require(DigestAlgorithm(rawValue: vector.fields["SHAAlg"] ?? ""))
            let (publicKey, message) = (try publicKey(vector), try vector.bytes("Msg"))
            // Nothing signs with SHA-1; with the longest digest and salt a key of 1,024 bits is too short.
            guard digest != .sha1,
                padding == .pkcs1v15 || publicKey.sizeInBits > 1024 || digest != .sha512
            else {
                tally.leaveOut()
                continue
            }
            let key = PrivateKey(
                publicKey: publicKey, key: try privateKey(vector), representation: Secret(""))
            let algorithm = KeyAlgorithm(.rsaSignature(.message, padding, digest))
            let signature = try key.sign(message.span, algorithm)
            #expect(try publicKey.accepts(signature, of: message, algorithm), "\(vector)")
            if padding == .pkcs1v15 {
                #expect(try signature == vector.bytes("S"), "\(vector)")
            }
            tally.count(vector)
        }
        tally.close()
    }

    private func publicKey(_ vector: ResponseFile.Vector) throws -> PublicKey {
        let modulus = try vector.number("n")
        let exponent = try vector.number("e")
        var sequence = SecretBuilder()
        sequence.append(integer: modulus.span)
        sequence.append(integer: exponent.span)
        var key = SecretBuilder()
        key.append(.sequence, sequence.finish())
        return try PublicKey(
            externalRepresentation: key.finish().publicBytes().span, type: .rsa)
    }

    /// A private key without its primes, which these files lack.
    private func privateKey(_ vector: ResponseFile.Vector) throws -> LibcryptoKey {
        let bytes = (try vector.bytes("n"), try vector.bytes("e"), try vector.bytes("d"))
        let modulus = try BigNumber(bytes.0.span)
        let exponent = try BigNumber(bytes.1.span)
        let privateExponent = try BigNumber(bytes.2.span)
        let parameters = try KeyParameters()
        try parameters.add("n", modulus)
        try parameters.add("e", exponent)
        try parameters.add("d", privateExponent)
        return try parameters.makeKey("RSA", .keyPair)
    }

    /// The secret is NIST's, and keys that NIST damaged are refused. What is derived from the secret there,
    /// and changed in some vectors, is another matter: SP 800-56A's KDF, which Keychain Services has not.
    @Test(arguments: ["ZZOnly_init", "ZZOnly_resp", "KDFConcat_init", "KDFConcat_resp"])
    func agreesOnASecret(_ kind: String) throws {
        let name = kind.replacing("KDFConcat_", with: "KDFConcat_NOKC_")
            .replacing("ZZOnly", with: "NOKC_ZZOnly")
        let path = "asymmetric/ECDH/KASValidityTest_ECCStaticUnified_\(name).fax"
        let curves = ["EC": EllipticCurve.p256, "ED": .p384, "EE": .p521]
        var tally = Tally(path)
        for vector in try ResponseFile(path).vectors {
            let parts = (vector.headings.last ?? "").split(separator: " ")
            guard let curve = parts.first.flatMap({ curves[String($0)] }) else {
                tally.leaveOut()
                continue
            }
            let secret = try? exchange(vector, curve)
            let digest = try #require(DigestAlgorithm(rawValue: String(parts.last ?? "")))
            let result = try #require(vector.fields["Result"])
            let reason = Int(result.dropFirst(3).prefix { $0.isNumber })
            #expect((secret == nil) == [1, 2, 5, 6, 7].contains(reason), "\(vector)")
            if let secret {
                let isEqual = try secret == vector.number("Z", byteCount: curve.byteCount)
                if let hash = try? vector.bytes("CAVSHashZZ") {
                    let isHashEqual = Libcrypto.digest(secret.span, digest) == hash
                    #expect((isEqual && isHashEqual) == vector.isValid, "\(vector)")
                } else {
                    #expect(isEqual == (reason != 8), "\(vector)")
                }
            }
            tally.count(vector)
        }
        tally.close()
    }

    private func exchange(
        _ vector: ResponseFile.Vector, _ curve: EllipticCurve
    ) throws -> [UInt8] {
        let scalar = try vector.number("dsIUT", byteCount: curve.byteCount)
        let key = try PrivateKey.ellipticCurve(
            curve, scalar: scalar.span, point: point(curve, vector, "QsIUTx", "QsIUTy"))
        let other = try point(curve, vector, "QsCAVSx", "QsCAVSy")
        let publicKey = try PublicKey(externalRepresentation: other.span, type: .ellipticCurve)
        return try key.sharedSecret(with: publicKey, .ecdhKeyExchangeCofactor).publicBytes()
    }

    @Test func derivesKeys() throws {
        let path = "KDF/ansx963_2001.txt"
        var tally = Tally(path)
        for vector in try ResponseFile(path).vectors {
            let name = vector.headings[0].replacing("-", with: "")
            let digest = try #require(DigestAlgorithm(rawValue: name))
            let expected = try vector.bytes("key_data")
            let derived = Secret(try vector.bytes("Z")).expandedX963(
                digest, sharedInfo: try vector.bytes("SharedInfo"), count: expected.count)
            #expect(derived.publicBytes() == expected, "\(vector)")
            tally.count(vector)
        }
        tally.close()
    }

    @Test(
        arguments: [("KW", SymmetricKey.Wrapping.aesKeyWrap), ("KWP", .aesKeyWrapWithPadding)],
        [128, 192, 256])
    func wrapsKeys(_ kind: (String, SymmetricKey.Wrapping), _ size: Int) throws {
        for direction in ["AE", "AD"] {
            let path = "keywrap/kwtestvectors/\(kind.0)_\(direction)_\(size).txt"
            var tally = Tally(path)
            for vector in try ResponseFile(path).vectors {
                let key = try SymmetricKey(Secret(vector.bytes("K")))
                let wrapped = try vector.bytes("C")
                let expected = vector.isValid ? try vector.bytes("P") : nil
                let unwrapped = try? key.unwrap(wrapped.span, kind.1).publicBytes()
                #expect(unwrapped == expected, "\(vector)")
                if let expected {
                    #expect(try key.wrap(Secret(expected), kind.1) == wrapped, "\(vector)")
                }
                tally.count(vector)
            }
            tally.close()
        }
    }

    /// What Keychain Services has not.
    @Test func namesWhatIsLeftOut() throws {
        let sizes = [128, 192, 256]
        let groups = [
            "X9.31 signatures": ["SigVerRSA", "SigGenRSA", "SigGenRSA_186-2"].map {
                "\(Self.rsa)/FIPS_186-2/\($0).rsp"
            },
            "keys wrapped with AES's inverse cipher": ["KW", "KWP"].flatMap { kind in
                sizes.flatMap { ["\(kind)_AE_\($0)", "\(kind)_AD_\($0)"] }
            }.map { "keywrap/kwtestvectors/\($0)_inv.txt" },
            "keys wrapped with Triple DES": ["AE", "AE_inv", "AD", "AD_inv"].map {
                "keywrap/kwtestvectors/TKW_\($0).txt"
            },
            "AES-GCM with a vector of other than 16 bytes": sizes.flatMap {
                ["gcmDecrypt\($0)", "gcmEncryptExtIV\($0)"]
            }.map { "ciphers/AES/GCM/\($0).rsp" },
        ]
        var parts: [String] = []
        for (reason, paths) in groups.sorted(by: { $0.key < $1.key }) {
            let vectors = try paths.flatMap { try ResponseFile($0, shared: Self.keyFields).vectors }
            #expect(!vectors.isEmpty && !vectors.contains { $0.headings.contains("IVlen = 128") })
            parts.append("\(vectors.count) of \(reason)")
        }
        print("left out: \(parts.joined(separator: ", "))")
    }
}

/// How many vectors of a file were compared and left out, for a line at its end.
private struct Tally {
    private let path: String
    private var (valid, invalid, otherSalts, left) = (0, 0, 0, 0)

    init(_ path: String) {
        self.path = path
    }

    mutating func count(_ vector: ResponseFile.Vector) {
        if vector.isValid {
            valid += 1
        } else {
            invalid += 1
        }
    }

    mutating func refuseSalt() { otherSalts += 1 }

    mutating func leaveOut() { left += 1 }

    func close() {
        #expect(valid + invalid + otherSalts > 0)
        print(
            "\(path): \(valid) valid and \(invalid) invalid vectors"
                + (otherSalts > 0 ? ", \(otherSalts) refused for the length of their salt" : "")
                + (left > 0 ? ", \(left) left out" : ""))
    }
}
