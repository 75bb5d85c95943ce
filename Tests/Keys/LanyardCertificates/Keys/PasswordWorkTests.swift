import LanyardSecrets
import Testing

@testable import LanyardCertificates

@Suite struct PasswordWorkTests {
    /// A file can't ask for more work than the limits, and is refused before it is begun.
    @Test(
        arguments: [
            (10_000_000, nil), (1, nil), (0, .dataTooLarge), (10_000_001, .dataTooLarge),
            (1 << 31, .dataTooLarge), (1 << 32, .invalidKeyFormat),
        ] as [(Int, Status?)]) func limitsIterations(_ iterations: Int, _ status: Status?)
    {
        let values: (inout SecretBuilder) -> Void = {
            $0.append(.octetString, bytes: [1, 2, 3, 4, 5, 6, 7, 8])
            $0.append(integer: iterations)
        }
        expect(status) { identifier in
            identifier.append(.pbes2)
            identifier.append(.sequence) { parameters in
                parameters.append(.sequence) {
                    $0.append(.pbkdf2)
                    $0.append(.sequence, values)
                }
                parameters.append(.sequence) { $0.append(.aes256CBC) }
            }
        }
        // That of PKCS #12.
        expect(status) { identifier in
            identifier.append(.rsaEncryption)
            identifier.append(.sequence, values)
        }
    }

    @Test(
        arguments: [
            (16384, 8, 1, nil), (32768, 8, 1, nil), (65536, 8, 1, .dataTooLarge),
            (1 << 31, 1 << 31, 1, .dataTooLarge), (16384, 8, 64, nil),
            (16384, 8, 65, .dataTooLarge),
            (2, 1, 1 << 31, .dataTooLarge), (0, 8, 1, .dataTooLarge), (16, 0, 1, .dataTooLarge),
        ] as [(Int, Int, Int, Status?)]) func limitsScrypt(
            _ cost: Int, _ blockSize: Int, _ parallelization: Int, _ status: Status?
        )
    {
        expect(status) { identifier in
            identifier.append(.pbes2)
            identifier.append(.sequence) { parameters in
                parameters.append(.sequence) {
                    $0.append(.scrypt)
                    $0.append(.sequence) { values in
                        values.append(.octetString, bytes: [1, 2, 3, 4, 5, 6, 7, 8])
                        values.append(integer: cost)
                        values.append(integer: blockSize)
                        values.append(integer: parallelization)
                    }
                }
                parameters.append(.sequence) { $0.append(.aes256CBC) }
            }
        }
    }

    private func expect(_ status: Status?, _ content: (inout SecretBuilder) -> Void) {
        var builder = SecretBuilder()
        content(&builder)
        let bytes = builder.finish().publicBytes()
        do throws(KeychainError) {
            try PasswordWork.check(DERReader(0..<bytes.count), in: bytes.span)
            #expect(status == nil)
        } catch {
            #expect(error.status == status)
        }
    }
}

extension ObjectIdentifier {
    /// 2.16.840.1.101.3.4.1.42
    fileprivate static let aes256CBC = Self(0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 42)
}
