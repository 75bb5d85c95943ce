import KeychainServices
import Testing

@Suite struct AccessibilityTests {
    private static let table: [(Accessibility, UInt8, String, isThisDeviceOnly: Bool)] = [
        (.whenUnlocked, 1, "ak", false),
        (.afterFirstUnlock, 2, "ck", false),
        (.always, 3, "dk", false),
        (.whenUnlockedThisDeviceOnly, 4, "aku", true),
        (.afterFirstUnlockThisDeviceOnly, 5, "cku", true),
        (.alwaysThisDeviceOnly, 6, "dku", true),
        (.whenPasscodeSetThisDeviceOnly, 7, "akpu", true),
    ]

    @Test func codes() {
        #expect(Self.table.map(\.0) == Accessibility.allCases)
        for (accessible, number, code, isThisDeviceOnly) in Self.table {
            #expect(accessible.rawValue == number)
            #expect(accessible.code == code)
            #expect(Accessibility(code: code) == accessible)
            #expect(accessible.isThisDeviceOnly == isThisDeviceOnly)
        }
    }

    @Test(arguments: ["", "a", "AK", "ak ", "akp", "u"])
    func otherCodesAreNone(_ code: String) {
        #expect(Accessibility(code: code) == nil)
    }

    /// What takes less to read is raised, nothing is ever lowered, and what stays on this machine goes
    /// on doing so.
    @Test func raising() {
        let cases: [(Accessibility, Accessibility, Accessibility)] = [
            (.always, .whenUnlocked, .whenUnlocked),
            (.always, .afterFirstUnlock, .afterFirstUnlock),
            (.always, .always, .always),
            (.always, .alwaysThisDeviceOnly, .always),
            (.always, .whenPasscodeSetThisDeviceOnly, .whenUnlockedThisDeviceOnly),
            (.always, .afterFirstUnlockThisDeviceOnly, .afterFirstUnlockThisDeviceOnly),
            (.alwaysThisDeviceOnly, .whenUnlocked, .whenUnlockedThisDeviceOnly),
            (.alwaysThisDeviceOnly, .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly),
            (.afterFirstUnlock, .whenUnlocked, .whenUnlocked),
            (.afterFirstUnlock, .always, .afterFirstUnlock),
            (.whenUnlocked, .always, .whenUnlocked),
            (.whenUnlocked, .whenUnlockedThisDeviceOnly, .whenUnlocked),
            (.whenPasscodeSetThisDeviceOnly, .whenUnlocked, .whenPasscodeSetThisDeviceOnly),
        ]
        for (present, wanted, result) in cases {
            #expect(present.raised(to: wanted) == result, "\(present) \(wanted)")
        }
        for present in Accessibility.allCases {
            for wanted in Accessibility.allCases {
                let raised = present.raised(to: wanted)
                #expect(raised.raised(to: wanted) == raised)
                #expect(raised.isThisDeviceOnly || !present.isThisDeviceOnly)
            }
        }
    }
}
