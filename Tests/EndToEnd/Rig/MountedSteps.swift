import Foundation
import Subprocess
import Testing

/// Steps in a shell that may mount what it likes, since its mounts are its own and end with it.
extension ScratchHome {
    /// Runs a script in which `step NAME OPERATION REQUEST` runs the helper and keeps how it ended,
    /// and `keep NAME` keeps a copy of all files.
    func mountedSteps(
        _ script: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await shell(
            """
            mkdir "$1/steps" "$1/kept"
            exec unshare --mount --propagation private sh -euc "$2" sh "$1"
            """, path,
            """
            scratch=$1
            step() {
                status=0
                printf "$3" | git-credential-lanyard "$2" \\
                    >"$scratch/steps/$1.out" 2>"$scratch/steps/$1.err" || status=$?
                echo "$status" >"$scratch/steps/$1.status"
            }
            keep() {
                mkdir "$scratch/kept/$1"
                cp -a "$LANYARD_HOME/." "$scratch/kept/$1"
            }
            \(script)
            """, sourceLocation: sourceLocation)
    }

    /// How a step ended.
    func step(_ name: String) throws -> Outcome {
        let status = String(decoding: try read("\(path)/steps/\(name).status"), as: UTF8.self)
        return Outcome(
            command: try command("git-credential-lanyard", ["(\(name))"]),
            termination: .exited(try #require(Int32(status.dropLast()))),
            output: try read("\(path)/steps/\(name).out"),
            error: try read("\(path)/steps/\(name).err"))
    }

    /// The files at that moment.
    func kept(_ name: String) throws -> Snapshot {
        try Snapshot("\(path)/kept/\(name)")
    }
}
