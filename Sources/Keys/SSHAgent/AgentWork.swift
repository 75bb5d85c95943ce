/// Work that the agent hands to a process.
struct AgentWork: Hashable {
    /// What its answer is for.
    enum Purpose: Hashable {
        case list
        case signStored(SignRequest, Requester)
        case signAdded(SignRequest)
    }

    let request: WorkerRequest
    let purpose: Purpose
}
