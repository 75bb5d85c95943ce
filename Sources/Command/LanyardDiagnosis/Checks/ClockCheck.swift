internal import KeychainServices
internal import ToolSetup

/// Checks the clock, which determines when logins expire and keychains lock.
struct ClockCheck: SingleCheck {
    static let name = "clock"

    /// When this version was made, 2026-11-01: a correct clock is later.
    static let released = Timestamp(secondsSinceEpoch: 1_793_491_200)
    /// How many seconds another machine's clock may be ahead.
    private static let tolerance: Int64 = 86_400

    func finding(_ context: DiagnosisContext) -> Finding? {
        var newest: Timestamp?
        context.forEachItem(returns: .attributes) { item, _ in
            if let date = item.attributes?.modificationDate, newest.map({ $0 < date }) ?? true {
                newest = date
            }
        }
        return ClockCheck.finding(now: context.now, newest: newest)
    }

    /// - Parameter newest: When the newest item was changed, nil without items.
    static func finding(now: Timestamp, newest: Timestamp?) -> Finding? {
        guard now >= released else {
            let what: FindingText = "the clock shows a time before this version was built"
            return UserServices.isPossible
                ? Finding(.clockWrong, what, command: "sudo timedatectl set-ntp true")
                : Finding(.clockWrong, what, advice: "set the clock of the machine")
        }
        guard let newest, newest.secondsSinceEpoch > now.secondsSinceEpoch + tolerance else {
            return nil
        }
        return Finding(
            .itemsFromTheFuture, "some items have a modification date in the future",
            advice: "check the clock: date")
    }
}
