import KeychainServices
import SecurityFunctions
import Testing

@Suite struct StatusMessageTests {
    @Test func everyStatusHasAMessageOfItsOwn() {
        let scattered: [Int32] = [
            0, -4, -34, -36, -49, -50, -61, -108, -128, -909, -2070, -4960, -34018, -34020, -26267,
            -26275,
        ]
        // SecBase.h, in its order.
        let rows = [-25320 ... -25291, -25245 ... -25240, -25264 ... -25256, -67904 ... -67585]
        let numbers = scattered + rows.flatMap { $0.map { Int32($0) } }
        #expect(numbers.count == 381)
        let messages = numbers.map { Status(rawValue: $0).message }
        #expect(Set(messages).count == messages.count)
        for message in messages {
            #expect(!message.contains("failed with status"))
            #expect(!message.hasSuffix(".") && !message.contains("\n"))
            #expect(message.first?.isLowercase == true)
        }
        #expect(Status(rawValue: -1).message == "failed with status -1")
    }
}
