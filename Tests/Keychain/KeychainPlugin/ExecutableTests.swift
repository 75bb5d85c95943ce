import Foundation
import KeychainServices
import KeychainPlugin
import TestSupport
import Testing

@Suite("executables that run as plugins")
struct ExecutableTests {
    private let scratch: ScratchFolder
    private let path: String

    init() throws {
        scratch = try ScratchFolder()
        path = try scratch.script("lanyard-keychain-x", "#!/bin/sh\nexit 0\n")
    }

    private func refusal(_ path: String) -> KeychainError? {
        do throws(KeychainError) {
            _ = try PluginExecutable.check(path)
            return nil
        } catch {
            // The store says the same, without having started anything.
            let store = PluginStore(
                executable: path, keychain: "work", settings: [], timeLimit: 60_000,
                isPromptAllowed: false)
            let thrown = #expect(throws: KeychainError.self) { try store.open() }
            #expect(thrown?.reason == error.reason)
            return error
        }
    }

    @Test func oneOfOursIsRun() throws {
        #expect(refusal(path) == nil)
        let link = scratch.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(try PluginExecutable.check(link) == PluginExecutable.check(path))
    }

    @Test func oneThatIsNotThere() {
        for path in [scratch.path + "/none", path + "/x", "lanyard-keychain-x", ""] {
            let error = refusal(path)
            #expect(error?.status == .notAvailable)
            #expect(error?.reason == "keychain plugin '\(path)' not found")
        }
    }

    @Test func oneThatCanNotBeRun() {
        chmod(path, 0o644)
        let error = refusal(path)
        #expect(error?.status == .notAvailable)
        #expect(error?.hint == "chmod +x '\(path)'")
    }

    @Test(arguments: [0o775, 0o757, 0o777])
    func oneThatOthersCanWrite(mode: Int) {
        chmod(path, mode_t(mode))
        let error = refusal(path)
        #expect(error?.status == .writePermissions)
        #expect(error?.hint == "chmod go-w '\(path)'")
    }

    @Test(arguments: [0o770, 0o707, 0o1777])
    func oneInAFolderThatOthersCanWrite(mode: Int) {
        chmod(scratch.path, mode_t(mode))
        let error = refusal(path)
        #expect(error?.status == .writePermissions)
        #expect(error?.reason == "other users can write to the folder '\(scratch.path)'")
        #expect(
            error?.hint
                == (mode == 0o1777 ? "use a folder of its own" : "chmod go-w '\(scratch.path)'"))
    }

    @Test func aLinkInAFolderThatOthersCanWrite() throws {
        let folder = scratch.path + "/open"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        chmod(folder, 0o777)
        let link = folder + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(refusal(link)?.status == .writePermissions)
    }

    @Test func aFolderOrADevice() {
        #expect(refusal(scratch.path)?.status == .writePermissions)
        #expect(refusal("/dev/null")?.status == .writePermissions)
    }

    @Test(.enabled(if: geteuid() == 0)) func oneOfAnotherUser() {
        chown(path, 65534, 65534)
        let error = refusal(path)
        #expect(error?.status == .writePermissions)
        #expect(error?.reason == "the keychain plugin '\(path)' belongs to another user")
    }

    @Test func oneThatIsNoProgram() throws {
        let path = try scratch.script("lanyard-keychain-y", "#!/nonexistent/interpreter\n")
        let store = PluginStore(
            executable: path, keychain: "work", settings: [], timeLimit: 60_000,
            isPromptAllowed: false)
        let error = #expect(throws: KeychainError.self) { try store.open() }
        #expect(error?.status == .notAvailable)
        #expect(
            error?.reason
                == "the plugin 'y' of the keychain 'work' can't be started: No such file or directory"
        )
    }

    @Test func whereTheyAreLookedFor() throws {
        let root = scratch.path
        for folder in ["bin", "libexec/lanyard", "links"] {
            try FileManager.default.createDirectory(
                atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
        }
        let program = try scratch.script("bin/program", "")
        try FileManager.default.createSymbolicLink(
            atPath: "\(root)/links/program", withDestinationPath: program)
        let programs = [program, "\(root)/links/program"]
        #expect(findPlugin(kind: "k", besideProgram: program) == nil)
        let beside = try scratch.script("bin/lanyard-keychain-k", "")
        for program in programs {
            #expect(findPlugin(kind: "k", besideProgram: program) == beside)
        }
        let installed = try scratch.script("libexec/lanyard/lanyard-keychain-k", "")
        for program in programs {
            #expect(findPlugin(kind: "k", besideProgram: program) == installed)
        }
        for kind in ["", "other", "k/../lanyard-keychain-k", "/bin/sh"] {
            #expect(findPlugin(kind: kind, besideProgram: program) == nil)
        }
        #expect(findPlugin(kind: "there-is-none") == nil)
    }
}
