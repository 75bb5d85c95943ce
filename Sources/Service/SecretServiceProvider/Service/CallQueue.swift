#if SecretService
/// What clients want, done in turn: one call of each client before the next one of any. However many calls a client
/// sends without waiting, the others don't wait for them.
final class CallQueue {
    private var waiting: [String: ArraySlice<() -> Void>] = [:]
    /// The clients that have something waiting, the next one first.
    private var turns: ArraySlice<String> = []

    /// Adds what is to be done for a client after everything that it wanted before.
    func add(_ client: String, _ work: @escaping () -> Void) {
        if waiting[client]?.append(work) == nil {
            waiting[client] = [work]
            turns.append(client)
            if turns.count == 1 {
                // A round also takes all that has arrived: it is queued before the next turn.
                MainLoop.eachRound { [self] in takeNext() }
            }
        }
    }

    /// - Returns: Whether more is waiting.
    private func takeNext() -> Bool {
        guard let client = turns.first, let work = waiting[client]?.popFirst() else {
            return false
        }
        work()
        // Only now: else adding something meanwhile would begin a second round of turns.
        turns.removeFirst()
        if waiting[client]?.isEmpty == true {
            waiting[client] = nil
        } else {
            turns.append(client)
        }
        return !turns.isEmpty
    }
}
#endif
