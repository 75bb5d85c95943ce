import Testing
import ToolCatalog

@Suite("the effects of variables of a .env file")
struct VariableEffectTests {
    @Test(arguments: [
        "LD_PRELOAD", "LD_AUDIT", "LD_LIBRARY_PATH", "LD_ANYTHING_NEW", "LANYARD_HOME",
        "LANYARD_PASSPHRASE_FILE", "LANYARD_ACCOUNT", "LANYARD_NO_PROMPT", "GCONV_PATH",
        "GLIBC_TUNABLES",
    ])
    func loaderOrLanyard(name: String) {
        #expect(VariableEffect(of: name) == .loaderOrLanyard)
    }

    @Test(arguments: [
        "PATH", "NODE_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS",
        "PGOPTIONS_OPTIONS",
        "MAVEN_OPTS", "PYTHONSTARTUP", "PYTHONPATH", "BASH_ENV", "ENV", "RUBYOPT", "PERL5OPT",
        "GIT_CONFIG_GLOBAL", "GIT_CONFIG_COUNT", "GIT_SSH_COMMAND", "BASH_FUNC_ls%%",
        "CORECLR_PROFILER_PATH", "DOTNET_STARTUP_HOOKS", "OPENSSL_CONF", "HOME",
    ])
    func otherCode(name: String) {
        #expect(VariableEffect(of: name) == .otherCode)
    }

    @Test(arguments: [
        "STRIPE_API_KEY", "DATABASE_URL", "AWS_PROFILE", "LDAP_PASSWORD", "PATHS", "MY_PATH",
        "OPTIONS", "ld_preload", "path", "LANYARD", "NODE_ENV", "",
    ])
    func nothing(name: String) {
        #expect(VariableEffect(of: name) == .none)
    }
}
