import Foundation
import KeychainServices
import Testing

@testable import SealedStore
@testable import LinuxSystem

@Suite("Login token") struct LoginTokenTests {
    /// Both say the same, and change nothing.
    private func refusal(_ login: ScratchLogin) throws -> KeychainError? {
        let names = try login.names()
        let error = keychainError { _ = try login.reading() }
        #expect(error == keychainError { _ = try login.making() })
        #expect(try login.names() == names)
        return error
    }

    /// The folder is there, and yet there is no token and none is made.
    private func expectNone(_ folder: String) throws {
        #expect(try ScratchLogin.reading(folder) == nil)
        #expect(try ScratchLogin.making(folder) == nil)
        #expect(!FileManager.default.fileExists(atPath: LoginToken.path(in: folder)))
    }

    @Test func itIsTheFolderOfTheUserWhateverTheEnvironmentSays() {
        #expect(LoginToken.folder == "/run/user/\(geteuid())")
        #expect(LoginToken.path(in: LoginToken.folder) == "/run/user/\(geteuid())/lanyard-token")
    }

    @Test func readingMakesNone() throws {
        let login = try ScratchLogin()
        #expect(try login.reading() == nil)
        #expect(try login.names() == [])
    }

    @Test func itIsMadeOnceForItsOwnerAlone() throws {
        let login = try ScratchLogin()
        let token = try login.making()
        #expect(token?.count == 32)
        #expect(try login.making() == token)
        #expect(try login.reading() == token)
        #expect(try login.names() == ["lanyard-token"])
        let status = try SystemCalls.status(at: login.file)
        #expect(status.permissions == 0o600)
        #expect(status.size == 32)
    }

    @Test func afterALogoutItIsAnother() throws {
        let login = try ScratchLogin()
        let token = try login.making()
        try FileManager.default.removeItem(atPath: login.file)
        #expect(try login.making() != token)
    }

    @Test func withoutAFolderThereIsNoneAndNoneIsMade() throws {
        let login = try ScratchLogin()
        let missing = "\(login.folder)/1000"
        try expectNone(missing)
        #expect(!FileManager.default.fileExists(atPath: missing))
        makeFile(missing)
        try expectNone(missing)
        try expectNone("\(missing)/1000")
    }

    @Test(arguments: [0o755, 0o701, 0o710, 0o770, 0o777, 0o1777])
    func aFolderOpenToOthersHasNone(_ mode: Int) throws {
        let login = try ScratchLogin()
        chmod(login.folder, mode_t(mode))
        try expectNone(login.folder)
    }

    @Test func aLinkToAFolderHasNone() throws {
        let login = try ScratchLogin()
        mkdir("\(login.folder)/real", 0o700)
        symlink("\(login.folder)/real", "\(login.folder)/1000")
        try expectNone("\(login.folder)/1000")
    }

    @Test(.enabled(if: isRoot, "only root can give files away"))
    func anotherUsersFolderHasNone() throws {
        let login = try ScratchLogin()
        chown(login.folder, 12_345, 0)
        try expectNone(login.folder)
    }

    @Test func aTokenFromBeforeTheFolderWasOpenedIsNotRead() throws {
        let login = try ScratchLogin()
        _ = try login.making()
        chmod(login.folder, 0o755)
        #expect(try login.reading() == nil)
        #expect(try login.making() == nil)
    }

    @Test(arguments: [0, 1, 31, 33, 64]) func aWrongLengthIsAnError(_ count: Int) throws {
        let login = try ScratchLogin()
        let path = login.file
        makeFile(path, Data(count: count))
        let error = try refusal(login)
        #expect(error?.status == .decode)
        #expect(error?.reason.contains(path) == true)
        #expect(error?.hint == "rm '\(path)'")
        #expect(FileManager.default.contents(atPath: path)?.count == count)
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o644]) func aFileOpenToOthersIsAnError(
        _ mode: Int
    ) throws {
        let login = try ScratchLogin()
        makeFile(login.file, Data(count: 32), mode: mode)
        #expect(try refusal(login)?.status == .writePermissions)
    }

    @Test func aLinkIsAnError() throws {
        let login = try ScratchLogin()
        makeFile("\(login.folder)/real", Data(count: 32))
        symlink("\(login.folder)/real", login.file)
        #expect(try refusal(login)?.status == .writePermissions)
    }

    @Test(.timeLimit(.minutes(10))) func whatIsNoFileIsAnError() throws {
        let folder = try ScratchLogin()
        mkdir(folder.file, 0o700)
        #expect(try refusal(folder)?.status == .writePermissions)
        let pipe = try ScratchLogin()
        mkfifo(pipe.file, 0o600)
        #expect(try refusal(pipe)?.status == .writePermissions)
    }

    @Test(.enabled(if: isRoot, "only root can give files away"))
    func anotherUsersFileIsAnError() throws {
        let login = try ScratchLogin()
        let path = login.file
        makeFile(path, Data(count: 32))
        chown(path, 12_345, 0)
        #expect(try refusal(login)?.status == .writePermissions)
    }
}
