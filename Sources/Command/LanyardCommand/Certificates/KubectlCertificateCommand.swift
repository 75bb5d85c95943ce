internal import ArgumentParser
internal import LanyardCertificates
internal import LanyardConfiguration
internal import Keychains
internal import KeychainServices
internal import ToolHelpers
internal import LanyardPrompting

/// Answers kubectl with a client certificate: `kubectl-credential-lanyard` goes on as this command.
struct KubectlCertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kubectl", abstract: "Print a certificate and its key as kubectl's login.",
        shouldDisplay: false
    ).examples("lanyard certificate kubectl ada@example.com")

    @Argument var name: String
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        do throws(KeychainError) {
            try writeAnswer(credential().answer(to: request()))
        } catch {
            // The status of kubectl-credential-lanyard.
            endLanyard(error, status: 1)
        }
    }

    private func request() throws(KeychainError) -> ExecCredentialRequest {
        try ExecCredentialRequest(try Environment.value(ExecCredentialRequest.variable))
    }

    private func credential() throws(KeychainError) -> ExecCredential {
        // As a helper, it is silent when all went well.
        let store = try SearchListStore(
            flag: keychain.name, configuration: Configuration(), isSilent: true)
        let keychain = try store.keychain(
            accessGroups: KubectlCredentialHelper.accessGroups
        ).using(CertificateDecoder())
        let stored = try stored(in: keychain)
        let identity = try keychain.identity(of: stored.attributes, stored.certificate)
        return ExecCredential(
            try identity.privateKey.file(.pkcs8),
            certificate: ExecCredential.ClientCertificate(
                chain: identity.chainPEM, expires: stored.certificate.notValidAfter))
    }

    /// Returns the certificate. A copy that `lanyard setup kubectl` stored wins over one that the user imported for other
    /// programs: both have the same fingerprint.
    private func stored(in keychain: Keychain) throws(KeychainError) -> StoredCertificate {
        do throws(KeychainError) {
            return try keychain.storedCertificate(
                named: name, group: KubectlCredentialHelper.accessGroup, validAt: currentTime())
        } catch {
            guard error.status == .itemNotFound else {
                throw error
            }
            return try keychain.storedCertificate(named: name, validAt: currentTime())
        }
    }
}
