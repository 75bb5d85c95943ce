import Testing

@testable import LanyardSecrets

@Suite struct StatusTests {
    /// The numbers that Apple's headers give them.
    private static let numbers: [(Status, Int32)] = [
        (.success, 0),  // errSecSuccess
        (.unimplemented, -4),  // errSecUnimplemented
        (.diskFull, -34),  // errSecDiskFull
        (.io, -36),  // errSecIO
        (.param, -50),  // errSecParam
        (.writePermissions, -61),  // errSecWrPerm
        (.allocate, -108),  // errSecAllocate
        (.userCanceled, -128),  // errSecUserCanceled
        (.missingEntitlement, -34018),  // errSecMissingEntitlement
        (.notAvailable, -25291),  // errSecNotAvailable
        (.readOnly, -25292),  // errSecReadOnly
        (.authFailed, -25293),  // errSecAuthFailed
        (.noSuchKeychain, -25294),  // errSecNoSuchKeychain
        (.invalidKeychain, -25295),  // errSecInvalidKeychain
        (.duplicateKeychain, -25296),  // errSecDuplicateKeychain
        (.duplicateItem, -25299),  // errSecDuplicateItem
        (.itemNotFound, -25300),  // errSecItemNotFound
        (.dataTooLarge, -25302),  // errSecDataTooLarge
        (.noSuchAttribute, -25303),  // errSecNoSuchAttr
        (.noSuchClass, -25306),  // errSecNoSuchClass
        (.interactionNotAllowed, -25308),  // errSecInteractionNotAllowed
        (.wrongVersion, -25310),  // errSecWrongSecVersion
        (.decode, -26275),  // errSecDecode
        (.databaseLocked, -67869),  // errSecDatabaseLocked
    ]

    @Test func numbersAreApples() {
        for (status, number) in Self.numbers {
            #expect(status.rawValue == number)
        }
    }

    @Test func eachHasAMeaningOfItsOwn() {
        let meanings = Self.numbers.map { $0.0.meaning }
        #expect(Set(meanings).count == meanings.count)
        #expect(!meanings.contains { $0.contains("failed with status") })
        #expect(Status(rawValue: -49).meaning == "failed with status -49")
    }

    @Test func errorsAreEqualIfTheirStatusesAre() {
        let error = KeychainError(.itemNotFound, "no login for host", hint: "lanyard list")
        #expect(error == KeychainError(.itemNotFound))
        #expect(error != KeychainError(.duplicateItem, "no login for host"))
        #expect(error.description == "no login for host (-25300)")
        #expect(KeychainError(.itemNotFound).reason == Status.itemNotFound.meaning)
        #expect(KeychainError(.itemNotFound).hint == nil)
    }
}
