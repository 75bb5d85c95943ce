import Foundation
import Security
import Testing

@Suite("names of Core Foundation")
struct CoreFoundationTests {
    @Test func constants() {
        #expect(kCFBooleanTrue as? Bool == true)
        #expect(kCFBooleanFalse as? Bool == false)
        #expect(kCFAllocatorDefault == nil)
        #expect(noErr == errSecSuccess)
        #expect(String(kCFBundleIdentifierKey) == "CFBundleIdentifier")
    }

    @Test func errors() {
        let error: CFError = NSError(
            domain: "a domain", code: 7, userInfo: [NSLocalizedDescriptionKey: "a text"])
        #expect(CFErrorGetDomain(error) as String == "a domain")
        #expect(CFErrorGetCode(error) == 7)
        #expect(CFErrorCopyDescription(error) as String? == "a text")
        let details = CFErrorCopyUserInfo(error) as? [String: Any]
        #expect(details?[NSLocalizedDescriptionKey] as? String == "a text")
    }

    @Test func casts() {
        #expect("text" as CFString == NSString("text"))
        #expect([kSecClass: "genp"] as CFDictionary == ["class": "genp"] as NSDictionary)
        #expect(Data([1]) as CFData == NSData(data: Data([1])))
        #expect(["a"] as CFArray == NSArray(array: ["a"]))
        #expect(7 as CFNumber == NSNumber(value: 7))
    }

    @Test func contextsAreObjects() {
        let context = LAContext()
        let value = [kSecUseAuthenticationContext: context] as CFDictionary
        #expect(value.object(forKey: kSecUseAuthenticationContext) as? LAContext == context)
        #expect(LAContext() != context)
    }

    @Test func accessControlsAreObjects() throws {
        let controls = [SecAccessControlCreateFlags.applicationPassword, .applicationPassword, []]
            .map {
                SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, $0, nil)
            }
        let keys: [AnyHashable?] = controls
        #expect(keys[0] == keys[1])
        #expect(keys[0] != keys[2])
        #expect(CFEqual(controls[0], controls[1]))
        #expect(CFHash(controls[0]) == CFHash(controls[1]))
    }

    @Test func keysOfAnyHashable() throws {
        #expect(AnyHashable(kSecAttrAccount) == AnyHashable(kSecAttrAccount as String))
        let found: AnyObject = [["acct": "ada"] as CFDictionary] as CFArray
        let attributes = try #require((found as? [[AnyHashable: Any]])?.first)
        #expect(attributes[kSecAttrAccount] as? String == "ada")
        #expect(attributes[kSecAttrAccount as String] as? String == "ada")
        #expect(attributes.keys.first as? CFString == kSecAttrAccount)
    }
}
