import KeychainServices
import Testing

@Suite("negative and invisible items")
struct MarkTests {
    @Test("a negative item answers nothing, exactly or nearly asked for")
    func get() throws {
        let rig = DockerRig()
        try rig.put(secret: [0x78]) { $0.isNegative = true }
        for url in ["https://example.com", "example.com", "example.com/path"] {
            #expect(try rig.answer(url) == nil, "\(url)")
        }
        #expect(try rig.list() == "{}\n")
    }

    @Test("it hides no other login, and stays when that is erased")
    func others() throws {
        let rig = DockerRig()
        try rig.store("https://example.com", "me", "secret")
        try rig.put(secret: [0x78]) { $0.isNegative = true }
        #expect(try rig.answer("https://example.com") == "me")
        #expect(try rig.list() == #"{"https://example.com":"me"}"# + "\n")
        #expect(rig.run("erase", "https://example.com") == "")
        #expect(try rig.items == ["htps example.com - - other = x"])
    }

    @Test("docker login makes it a login")
    func store() throws {
        let rig = DockerRig()
        try rig.put(secret: Array("secret".utf8)) { $0.isNegative = true }
        try rig.store("https://example.com", "other", "secret")
        #expect(try rig.answer("https://example.com") == "other")
        #expect(try rig.items.count == 1)
    }

    @Test("an invisible item answers, and no list has it")
    func invisible() throws {
        let rig = DockerRig()
        try rig.put(secret: [0x78]) { $0.isInvisible = true }
        #expect(try rig.answer("https://example.com") == "other")
        #expect(try rig.list() == "{}\n")
    }
}
