/// The numbers of messages: draft-ietf-sshm-ssh-agent, "Message numbers".
enum MessageNumber {
    /// SSH_AGENT_FAILURE
    static let failure: UInt8 = 5
    /// SSH_AGENT_SUCCESS
    static let success: UInt8 = 6
    /// SSH_AGENTC_REQUEST_IDENTITIES
    static let requestIdentities: UInt8 = 11
    /// SSH_AGENT_IDENTITIES_ANSWER
    static let identitiesAnswer: UInt8 = 12
    /// SSH_AGENTC_SIGN_REQUEST
    static let signRequest: UInt8 = 13
    /// SSH_AGENT_SIGN_RESPONSE
    static let signResponse: UInt8 = 14
    /// SSH_AGENTC_ADD_IDENTITY
    static let addIdentity: UInt8 = 17
    /// SSH_AGENTC_REMOVE_IDENTITY
    static let removeIdentity: UInt8 = 18
    /// SSH_AGENTC_REMOVE_ALL_IDENTITIES
    static let removeAllIdentities: UInt8 = 19
    /// SSH_AGENTC_LOCK
    static let lock: UInt8 = 22
    /// SSH_AGENTC_UNLOCK
    static let unlock: UInt8 = 23
    /// SSH_AGENTC_ADD_ID_CONSTRAINED
    static let addConstrained: UInt8 = 25
    /// SSH_AGENTC_EXTENSION
    static let requestExtension: UInt8 = 27
    /// SSH_AGENT_EXTENSION_FAILURE
    static let extensionFailure: UInt8 = 28
    /// SSH_AGENT_EXTENSION_RESPONSE
    static let extensionResponse: UInt8 = 29
}
