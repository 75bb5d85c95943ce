internal import Glibc
internal import KeychainServices
internal import LinuxSystem
internal import LanyardPrompting
internal import ToolSetup

/// A program that will replace this process.
struct ExecutedProgram {
    private let name: String
    private let path: String
    private let arguments: [String]

    /// Finds the program.
    ///
    /// - Parameters:
    ///   - command: The program, and its arguments.
    ///   - bypassesShims: Whether the program itself runs: a shim would replace a profile's secrets by those of
    ///     another account.
    /// - Throws: The statuses of a shell and env(1): 127 for a missing program, 126 for one that can't be
    ///   run.
    init(_ command: [String], bypassesShims: Bool, hint: String) throws(KeychainError) {
        guard let name = command.first else {
            throw KeychainError(.param, "missing program", hint: hint)
        }
        self.name = name
        arguments = Array(command.dropFirst())
        if bypassesShims,
            let path = try programPath(name, where: { !ToolSetup.isShim(at: $0) })
        {
            self.path = path
            return
        }
        if let path = try programPath(name) {
            self.path = path
            return
        }
        guard name.contains("/"), try PrivatePlace.exists(name) else {
            throw KeychainError(
                Status(rawValue: 127), "program '\(name)' not found",
                hint: ExecutedProgram.hint(forMissing: name))
        }
        throw ExecutedProgram.notRun(name, "it is not an executable file")
    }

    /// Returns what to do if a shim has the path of a program that is gone.
    private static func hint(forMissing path: String) -> String? {
        let program = PrivatePlace.name(of: path)
        guard path.hasPrefix("/"), let environment = try? SetupEnvironment(),
            ToolSetup.folderOfShim(program, environment) != nil
        else {
            return nil
        }
        return "if it is elsewhere now: lanyard setup all \(program.shellWord)"
    }

    /// Replaces this process.
    ///
    /// - Parameter variables: Further variables.
    /// - Throws: Status 126 if the program can't be run.
    func start(
        with secrets: GrantedSecrets, _ variables: [(name: String, value: String)] = []
    ) throws(KeychainError) -> Never {
        let given = secrets.arguments + arguments.map(secrets.withPaths)
        var program = ProgramReplacement(path, [name] + given)
        // A descriptor's number: it is closed by now, or one of our files has it.
        if let file = program.inheritedValue("LANYARD_PASSPHRASE_FILE"),
            file.utf8.allSatisfy(\.isDigit)
        {
            program.removeVariable("LANYARD_PASSPHRASE_FILE")
        }
        secrets.hand(to: &program)
        for variable in variables {
            program.setVariable(variable.name, Secret(variable.value))
        }
        // Now that the variables are set: the files of replaced ones are closed.
        program.keepInheritedMemoryFiles()
        do throws(SystemCallError) {
            try program.execute()
        } catch {
            guard error.code == E2BIG else {
                // The program itself was found before.
                throw ExecutedProgram.notRun(
                    name, error.code == ENOENT ? "its interpreter is missing" : error.words)
            }
            // execve(2): 32 pages for one variable, and a quarter of the stack for all.
            throw ExecutedProgram.notRun(
                name, "its arguments and variables are too long",
                hint: "pass a long secret in a file: lanyard exec --file NAME=ITEM -- PROGRAM")
        }
    }

    private static func notRun(
        _ name: String, _ reason: String, hint: String? = nil
    ) -> KeychainError {
        KeychainError(
            Status(rawValue: 126), "the program '\(name)' can't be run: \(reason)", hint: hint)
    }
}
