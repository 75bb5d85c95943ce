#if SecretService
import TestSupport
import Foundation
import Glibc

extension PrivateSecretService {
    /// Runs another program against this Secret Service.
    ///
    /// - Returns: What it printed and how it ended; -1 if it did not end within half a minute.
    @discardableResult
    func run(
        _ program: String, _ arguments: String..., input: String = ""
    ) throws -> (output: String, status: Int32) {
        try run(program, arguments: arguments, input: input)
    }

    /// Runs another program against this Secret Service.
    @discardableResult
    func run(
        _ program: String, arguments: [String], input: String = ""
    ) throws -> (output: String, status: Int32) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = environment
        let given = Pipe()
        let printed = Pipe()
        process.standardInput = given
        process.standardOutput = printed
        process.standardError = FileHandle.nullDevice
        try process.run()
        let pid = process.processIdentifier
        DispatchQueue.global().asyncAfter(deadline: .now() + 30) { [weak process] in
            if process?.isRunning == true {
                kill(pid, SIGKILL)
            }
        }
        given.fileHandleForWriting.write(Data(input.utf8))
        try given.fileHandleForWriting.close()
        let output = printed.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: output, as: UTF8.self), process.terminationStatus)
    }
}

/// git-credential-libsecret, built from the source that comes with git.
enum LibsecretHelper: String, CaseIterable {
    /// With the schema of libsecret's own that it had up to git 2.40.
    case old = "SECRET_SCHEMA_COMPAT_NETWORK"
    /// With git's schema, whose name it does not match.
    case new = "&lanyard_git_schema"

    private static let folder: String? = {
        let folder = "/tmp/lanyard-libsecret-\(UUID().uuidString)"
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-euc", script, "sh", folder]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else {
            return nil
        }
        process.waitUntilExit()
        atexit {
            if let folder = LibsecretHelper.folder {
                try? FileManager.default.removeItem(atPath: folder)
            }
        }
        return process.terminationStatus == 0 ? folder : nil
    }()

    private static let script = """
        cp -r /usr/share/doc/git/contrib/credential/libsecret "$1"
        cd "$1"
        cat >schema.h <<'END'
        #include <libsecret/secret.h>
        static const SecretSchema lanyard_git_schema = {
            "org.git.Password", SECRET_SCHEMA_DONT_MATCH_NAME,
            {{"user", SECRET_SCHEMA_ATTRIBUTE_STRING}, {"object", SECRET_SCHEMA_ATTRIBUTE_STRING},
             {"protocol", SECRET_SCHEMA_ATTRIBUTE_STRING},
             {"port", SECRET_SCHEMA_ATTRIBUTE_INTEGER},
             {"server", SECRET_SCHEMA_ATTRIBUTE_STRING}, {NULL, 0}}};
        END
        for schema in SECRET_SCHEMA_COMPAT_NETWORK '&lanyard_git_schema'; do
            make -s clean
            sed -e 's/&schema,/SECRET_SCHEMA_COMPAT_NETWORK,/' \\
                -e 's/SECRET_SCHEMA_COMPAT_NETWORK/LANYARD_SCHEMA/' -i *.c
            make -s CFLAGS="-include schema.h -D'LANYARD_SCHEMA=$schema' -w"
            mkdir "$schema"
            mv git-credential-libsecret "$schema"
        done
        """.replacing("\\\\", with: "\\")

    var path: String { "\(LibsecretHelper.folder ?? "")/\(rawValue)/git-credential-libsecret" }

    static var isThere: Bool {
        if folder != nil {
            return true
        }
        print("skipped: git-credential-libsecret can't be built here")
        return false
    }
}

/// Whether a program is there; if not, a line says that tests are skipped.
func isInstalled(_ program: String) -> Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(
        separator: ":")
    let isThere = folders.contains { access("\($0)/\(program)", X_OK) == 0 }
    if !isThere {
        print("skipped: there is no \(program)")
    }
    return isThere
}
#endif
