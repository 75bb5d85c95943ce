import Foundation
import Keychain
import Testing

@testable import SealedStore

@Suite("Generation anchor") struct GenerationAnchorTests {
    @Test func aNewKeychainHasTheFirst() throws {
        let scratch = try ScratchKeychain()
        #expect(try String(contentsOfFile: scratch.anchorFile(), encoding: .utf8) == "1\n")
    }

    /// A crash just after the making leaves none; the next change puts it there.
    @Test func aMissingOneIsTakenAndMadeByTheNextChange() throws {
        let scratch = try ScratchKeychain.withItem()
        let path = try scratch.anchorFile()
        try FileManager.default.removeItem(atPath: path)
        #expect(scratch.reading() == nil)
        #expect(!FileManager.default.fileExists(atPath: path))
        try scratch.open().add(
            .internetPassword, internetPassword("b.example"), secret: Secret("two"))
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test(arguments: [
        "", "\n", "1", "x\n", "-1\n", "1 \n", "18446744073709551616\n", "1\n\n", "1\r\n",
        "111111111111111111111111111111\n", "\u{0}\n",
    ])
    func aDamagedOneIsRefusedWithAHint(_ content: String) throws {
        let scratch = try ScratchKeychain.withItem()
        let path = try scratch.anchorFile()
        try content.write(toFile: path, atomically: false, encoding: .utf8)
        let before = try scratch.bytes()
        let error = scratch.reading()
        #expect(error?.status == .decode)
        #expect(error?.hint?.contains("lanyard keychain accept-restore") == true)
        #expect(throws: KeychainError(.decode)) {
            try scratch.open().add(
                .internetPassword, internetPassword("b.example"), secret: Secret("two"))
        }
        #expect(try scratch.bytes() == before)
    }

    @Test func oneThatIsAheadIsRefused() throws {
        let scratch = try ScratchKeychain.withItem()
        try "2\n".write(toFile: scratch.anchorFile(), atomically: false, encoding: .utf8)
        #expect(scratch.reading()?.status == .decode)
    }

    @Test func oneThatIsNoPrivateFileIsRefused() throws {
        let scratch = try ScratchKeychain.withItem()
        let path = try scratch.anchorFile()
        chmod(path, 0o640)
        #expect(scratch.reading()?.status == .writePermissions)
        try FileManager.default.removeItem(atPath: path)
        symlink("/dev/null", path)
        #expect(scratch.reading()?.status == .writePermissions)
        try FileManager.default.removeItem(atPath: path)
        mkfifo(path, 0o600)
        #expect(scratch.reading()?.status == .writePermissions)
    }
}
