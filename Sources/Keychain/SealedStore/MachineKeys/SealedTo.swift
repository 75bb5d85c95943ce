/// What systemd sealed a credential to, as the first 16 bytes say.
package enum SealedTo: String, Sendable {
    /// Root's host key.
    case hostKey = "host-key"
    /// Root's host key and the TPM.
    case tpm = "host-key-and-tpm"
    /// Something that this version of Lanyard does not know.
    case unknown

    /// - Parameter blob: What the service returned.
    package init(blob: [UInt8]) {
        self =
            switch Array(blob.prefix(4)) {
            // CRED_AES256_GCM_BY_HOST_SCOPED
            case [0x55, 0xB9, 0xED, 0x1D]: .hostKey
            // CRED_AES256_GCM_BY_HOST_AND_TPM2_HMAC_SCOPED, the same WITH_PK, and both with
            // PINNED_SRK
            case [0xEF, 0x4A, 0xC1, 0x36], [0xAD, 0xBC, 0x4C, 0xA3], [0x2A, 0x1F, 0x87, 0x7A],
                [0x16, 0xE4, 0x92, 0x94]:
                .tpm
            default: .unknown
            }
    }
}
