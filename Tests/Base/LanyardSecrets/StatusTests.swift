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

    @Test func everyStatusHasASentenceOfItsOwn() {
        let scattered: [Int32] = [
            0, -4, -34, -36, -49, -50, -61, -108, -128, -909, -2070, -4960, -34018, -34020, -26267,
            -26275,
        ]
        // SecBase.h, in its order.
        let rows = [-25320 ... -25291, -25245 ... -25240, -25264 ... -25256, -67904 ... -67585]
        let numbers = scattered + rows.flatMap { $0.map { Int32($0) } }
        #expect(numbers.count == 381)
        #expect(Status.sentences.split(separator: "\n").count + Self.numbers.count == numbers.count)
        let meanings = numbers.map { Status(rawValue: $0).meaning }
        #expect(Set(meanings).count == meanings.count)
        for meaning in meanings {
            #expect(!meaning.contains("failed with status"))
            #expect(!meaning.hasSuffix(".") && !meaning.contains("\n"))
            #expect(meaning.first?.isLowercase == true)
        }
        #expect(Status(rawValue: -1).meaning == "failed with status -1")
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
