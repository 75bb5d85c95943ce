import KeychainServices
import LinuxSystem
import TestSupport
import Testing

@testable import Keychains

/// What is remembered of a prompt for a minute.
@Suite struct AnsweredPromptTests {
    let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func prompt(_ text: String = "password: ", of process: String = "12 34")
        -> AnsweredPrompt
    {
        AnsweredPrompt(text, of: process, in: folder.path)
    }

    @Test func onlyTheSameProcessRepeatsIt() {
        #expect(!prompt().isRepeated(now: SystemCalls.now()))
        prompt().remember(now: SystemCalls.now())
        let now = SystemCalls.now()
        #expect(prompt().isRepeated(now: now))
        #expect(!prompt("other: ").isRepeated(now: now))
        for process in ["12 35", "13 34", "12 ", "1 234"] {
            #expect(!prompt(of: process).isRepeated(now: now))
        }
    }

    @Test func itIsForgottenAfterAMinute() {
        prompt().remember(now: SystemCalls.now())
        let now = SystemCalls.now()
        let later = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + 62)
        #expect(!prompt().isRepeated(now: later))
    }

    /// Linux 6.13 and later date files more finely than `time` counts.
    @Test func aDateThatIsAMomentAheadCounts() {
        prompt().remember(now: SystemCalls.now())
        let now = SystemCalls.now()
        let earlier = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch - 1)
        #expect(prompt().isRepeated(now: earlier))
        let longBefore = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch - 30)
        #expect(!prompt().isRepeated(now: longBefore))
    }

    @Test func theLastSixteenAreRemembered() {
        for number in 1...20 {
            prompt(of: "\(number) 1").remember(now: SystemCalls.now())
            prompt(of: "\(number) 1").remember(now: SystemCalls.now())
        }
        let remembered = (1...20).filter {
            prompt(of: "\($0) 1").isRepeated(now: SystemCalls.now())
        }
        #expect(remembered == Array(5...20))
    }

    @Test func theParentHasAName() {
        let parts = RunningProcess.parentName.split(separator: " ")
        #expect(parts.count == 2 && parts.allSatisfy { UInt64($0) != nil })
    }
}
