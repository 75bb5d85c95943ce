import LanyardCertificates
import KeychainServices
import Testing

@Suite("Certificates") struct CertificateTests {
    @Test("anything but a certificate is refused")
    func garbage() {
        for bytes: [UInt8] in [[], [0x30], [0x30, 0x00], Array(repeating: 0x30, count: 100)] {
            #expect(throws: KeychainError(.decode)) { try Certificate(der: bytes.span) }
        }
        let giant = [UInt8](repeating: 0x30, count: Certificate.sizeLimit + 1)
        #expect(throws: KeychainError(.dataTooLarge)) { try Certificate(der: giant.span) }
    }
}
