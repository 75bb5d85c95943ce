import TestSupport
import KeychainServices
import StrictJSON
import Testing

@testable import KeychainPlugin

@Suite("reading survives any input")
struct GarbageTests {
    private static let requests = [
        #"{"id":1,"method":"hello","versions":[1],"keychain":"k","settings":{"a":"b"}}"#,
        #"{"id":2,"method":"add","prompt":true,"timeout":9,"class":"genp","attributes":"#
            + #"{"account":{"base64":"/w=="},"port":1,"accessControl":{"accessible":"ak","flags":0}}"#
            + #","secret":"c2VjcmV0"}"#,
        #"{"id":3,"method":"match","query":{"class":"inet","attributes":{"server":"s"},"#
            + #""reference":"00112233445566778899aabbccddeeff","caseInsensitive":true},"count":1,"#
            + #""returnSecret":true}"#,
        #"{"id":4,"method":"next","walk":1,"count":64}"#,
    ]
    private static let answers = [
        #"{"id":1,"result":{"version":1,"transactions":true}}"#,
        #"{"id":1,"result":{"items":[{"reference":"00112233445566778899aabbccddeeff","#
            + #""attributes":{"creationDate":5,"creator":"lany"},"secret":"c2VjcmV0"}],"walk":3}}"#,
        #"{"id":1,"error":{"status":-50,"reason":"r","hint":"h"}}"#,
        #"{"id":1,"prompting":true}"#,
        #"{"id":1,"result":{"isLocked":true,"canPrompt":false,"place":"p","outlastsReboot":true}}"#,
    ]

    /// A line with some bytes changed, taken away, doubled or put in.
    private func damaged(_ line: String, _ random: inout SeededRandom) -> [UInt8] {
        var bytes = Array(line.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let index = bytes.indices.randomElement(using: &random)!
            let other = bytes.indices.randomElement(using: &random)!
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[index] = .random(in: 0 ... .max, using: &random)
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(bytes[other], at: index)
            case 3: bytes[index] = bytes[other]
            default: bytes.removeSubrange(min(index, other)..<max(index, other))
            }
        }
        return bytes
    }

    @Test("requests")
    func requests() {
        for seed in 0..<3000 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let bytes = damaged(GarbageTests.requests.randomElement(using: &random)!, &random)
            do throws(PluginRequest.Refusal) {
                _ = try PluginRequest(Secret(copying: bytes.span))
            } catch {
                #expect(error.error.status == .param, "seed \(seed)")
            }
        }
    }

    @Test("answers")
    func answers() {
        for seed in 0..<3000 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let bytes = damaged(GarbageTests.answers.randomElement(using: &random)!, &random)
            func read<Result>(_ result: (inout JSONReader) throws(KeychainError) -> Result) {
                _ = try? PluginAnswer(bytes.span, result)
            }
            read { reader throws(KeychainError) in try reader.readHello() }
            read { reader throws(KeychainError) in try reader.readStatus() }
            read { reader throws(KeychainError) in try reader.readAdded() }
            read { reader throws(KeychainError) in try reader.readCount() }
            read { reader throws(KeychainError) in
                try PluginBatch(from: &reader, Query(.genericPassword), count: 64)
            }
        }
    }

    @Test("an error with empty words has those of its status")
    func emptyWords() throws {
        let text = #"{"id":1,"error":{"status":-25300,"reason":"","hint":""}}"#
        let answer = try PluginAnswer(Array(text.utf8).span) { _ in }
        #expect(answer.error?.reason == Status.itemNotFound.meaning)
        #expect(answer.error?.hint == nil)
    }

    @Test("bytes that are not text")
    func noise() {
        for seed in 0..<500 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            var lines = Lines()
            var count = 0
            for _ in 0..<5 {
                let length = Int.random(in: 0...40, using: &random)
                let line = (0..<length).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
                count += 1 + line.count { $0 == 0x0A }
                lines.send(line + [0x0A])
            }
            #expect(lines.answers().count == count, "seed \(seed)")
        }
    }
}
