import KeychainServices
import Testing

@testable import SealedStore

@Suite("Key class") struct KeyClassTests {
    /// The numbers are part of the file format.
    @Test func numbersOfVersion1() {
        #expect(ProtectionClass.metadata.number == 0)
        #expect(ProtectionClass.presence.number == 8)
        #expect(
            Accessibility.allCases.map { ProtectionClass.secrets($0).number } == [
                1, 2, 3, 4, 5, 6, 7,
            ])
        #expect(
            Accessibility.allCases == [
                .whenUnlocked, .afterFirstUnlock, .always, .whenUnlockedThisDeviceOnly,
                .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly,
                .whenPasscodeSetThisDeviceOnly,
            ])
    }

    @Test func everyNumberRoundTripsOrIsRefused() throws {
        for number in UInt8.min...UInt8.max {
            if number <= 8 {
                #expect(try ProtectionClass(number: number).number == number)
            } else {
                #expect(throws: KeychainError(.decode)) { try ProtectionClass(number: number) }
            }
        }
    }

    @Test func withoutPassphraseThereIsNoClassThatNeedsOne() {
        #expect(ProtectionClass.all(hasPassphrase: false).map(\.number) == [0, 1, 2, 3, 4, 5, 6])
        #expect(ProtectionClass.all(hasPassphrase: true).map(\.number) == [0, 1, 2, 3, 4, 5, 6, 7])
    }
}
