/// What a variable of a `.env` file changes besides the program that it is for. Others may write such files.
package enum VariableEffect: Sendable {
    /// Nothing that is known here.
    case none
    /// The program may run code that the variable names.
    case otherCode
    /// The dynamic loader and the C library load code that the variable names, or Lanyard itself does something else
    /// when the program starts it.
    case loaderOrLanyard

    /// Returns the effect of a variable. Letter case counts, as it does for programs.
    package init(of name: String) {
        if VariableEffect.loaderPrefixes.contains(where: name.hasPrefix)
            || VariableEffect.loaderNames.contains(name)
        {
            self = .loaderOrLanyard
        } else if VariableEffect.codeSuffixes.contains(where: name.hasSuffix)
            || VariableEffect.codePrefixes.contains(where: name.hasPrefix)
            || VariableEffect.codeNames.contains(name)
        {
            self = .otherCode
        } else {
            self = .none
        }
    }

    /// ld.so(8) has some twenty variables, and other loaders have their own.
    private static let loaderPrefixes = ["LANYARD_", "LD_"]

    /// The other variables of glibc that name code, or change how it starts.
    private static let loaderNames: Set = ["GCONV_PATH", "GLIBC_TUNABLES"]

    /// `NODE_OPTIONS`, `JAVA_TOOL_OPTIONS`, `MAVEN_OPTS`, `CORECLR_PROFILER_PATH`.
    private static let codeSuffixes = ["_OPTIONS", "_OPTS", "_PROFILER_PATH"]

    private static let codePrefixes = ["BASH_FUNC_", "GIT_CONFIG"]

    private static let codeNames: Set = [
        // Where programs and shells look.
        "PATH", "HOME", "SHELL", "ENV", "BASH_ENV", "ZDOTDIR", "PROMPT_COMMAND", "PS4", "IFS",
        // Python, Perl, Ruby, Node, Java, Lua, PHP, R, Erlang, .NET.
        "PYTHONSTARTUP", "PYTHONPATH", "PYTHONHOME", "PYTHONBREAKPOINT", "PERL5OPT", "PERL5LIB",
        "PERL5DB", "PERLLIB", "RUBYOPT", "RUBYLIB", "GEM_PATH", "GEM_HOME", "NODE_PATH",
        "CLASSPATH",
        "LUA_INIT", "LUA_PATH", "LUA_CPATH", "PHPRC", "PHP_INI_SCAN_DIR", "R_PROFILE",
        "R_PROFILE_USER", "R_ENVIRON", "R_ENVIRON_USER", "ERL_FLAGS", "ERL_AFLAGS", "ERL_ZFLAGS",
        "ERL_LIBS", "DOTNET_STARTUP_HOOKS",
        // Libraries that load modules.
        "OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ENGINES", "GTK_MODULES", "GIO_MODULE_DIR",
        "GIO_EXTRA_MODULES", "QT_PLUGIN_PATH",
        // Programs that others start.
        "EDITOR", "VISUAL", "PAGER", "MANPAGER", "BROWSER", "LESSOPEN", "LESSCLOSE", "GIT_ASKPASS",
        "GIT_EDITOR", "GIT_EXEC_PATH", "GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_PROXY_COMMAND",
        "GIT_SEQUENCE_EDITOR", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_TEMPLATE_DIR", "SSH_ASKPASS",
        "SUDO_ASKPASS", "RUSTC", "RUSTC_WRAPPER", "PSQLRC", "PSQL_EDITOR",
    ]
}
