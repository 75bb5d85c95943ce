/// A target with two planted bugs, to see that a fuzzer would find them: a read behind the end of the
/// memory, which only the sanitizer notices, behind a word that only coverage leads to.
enum SelfTestTarget: FuzzTarget {
    static let name = "self-test"

    static func run(_ input: [UInt8]) {
        let word = Array("hole".utf8)
        guard input.count >= word.count else {
            return
        }
        for index in word.indices where input[index] != word[index] {
            return
        }
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: word.count)
        defer { memory.deallocate() }
        memory.initialize(from: word, count: word.count)
        check(memory[input.count] == memory[0], "the planted bug was met by chance")
    }
}
