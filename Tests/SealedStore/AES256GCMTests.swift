import Testing

@testable import Cryptography

@Suite("AES-256-GCM") struct AES256GCMTests {
    /// How libcrypto's providers write an algorithm's names.
    @Test(arguments: [
        ("AES-256-GCM:id-aes256-GCM:2.16.840.1.101.3.4.1.46", true),
        ("aes-256-gcm:id-aes256-GCM", true), ("AES-256-GCM", true), ("AES-256-GCM:", true),
        ("AES-256-GCM-SIV", false), ("AES-256-GC", false), ("", false), ("AES-256-CCM:x", false),
        ("id-aes256-GCM:AES-256-GCM", false),
    ])
    func isKnownByItsName(_ names: String, _ isIt: Bool) {
        #expect(AES256GCM.isFirst(of: names) == isIt)
    }
}
