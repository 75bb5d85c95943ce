import CLibFuzzer
import Glibc

// The executable's arguments are libFuzzer's own; which target it runs is said beside them, as
// libFuzzer starts itself anew for some of its work.
let targets: [any FuzzTarget.Type] = [
    GitRequestTarget.self, GitHelperTarget.self, DockerRequestTarget.self,
    DockerHelperTarget.self, JSONTarget.self, Base64Target.self, PluginServerTarget.self,
    PluginClientTarget.self, AddressTarget.self, ItemNameTarget.self, KeybagTarget.self,
    MachineKeyTarget.self,
    AttributesTarget.self, PaddingTarget.self, UseLogTarget.self, RecoveryKeyTarget.self,
    KeyCacheTarget.self, ConfigurationTarget.self, PassphraseFileTarget.self,
    SecretServiceItemTarget.self, SecretServiceCallTarget.self, ObjectPathTarget.self,
    DockerConfigTarget.self, ExportDocumentTarget.self,
    SealedExportTarget.self, GitCredentialsTarget.self, DockerAuthsTarget.self, NetrcTarget.self,
    CSVTarget.self, BitwardenTarget.self, KeePassTarget.self, OnePasswordTarget.self,
    KeychainDumpTarget.self, PassEntryTarget.self,
    AskpassPromptTarget.self, KeyFileTarget.self, KeyDERTarget.self, OpenSSHKeyTarget.self,
    SSHPublicKeyTarget.self, SSHSignatureTarget.self, AgentRequestTarget.self,
    CertificateTarget.self, CertificateBundleTarget.self,
    PKCS12Target.self, ToolFilesTarget.self, ToolHelperTarget.self, EnvironmentFileTarget.self,
    SecretTemplateTarget.self, OneTimeCodeTarget.self, PlainTextFileTarget.self,
    PrivateKeyTextTarget.self, TeamFormsTarget.self, YAMLTarget.self, SelfTestTarget.self,
]

guard let name = getenv("FUZZ_TARGET").map({ String(cString: $0) }) else {
    for target in targets {
        print(target.name)
    }
    exit(0)
}
guard let chosen = targets.first(where: { $0.name == name }) else {
    fail("there is no fuzz target of this name: run it without FUZZ_TARGET to see all")
}
target = chosen
var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(LLVMFuzzerRunDriver(&count, &arguments, runTarget))
