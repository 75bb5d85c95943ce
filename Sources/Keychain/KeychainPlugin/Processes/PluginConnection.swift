package import LanyardSecrets
package import LinuxSystem

/// A running program that Lanyard asks in lines of text, each side in turn. It is killed at the end of the last use.
package struct PluginConnection {
    private let process: ChildProcess

    /// Takes over a running program.
    package init(_ process: ChildProcess) {
        self.process = process
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - words: The running program's description for users.
    ///   - what: What it is, for errors about the file.
    /// - Throws: What ``PluginProgram/check(_:_:)`` throws; ``Status/notAvailable``.
    package init(
        starting path: String, _ words: String, _ what: String = "program"
    ) throws(KeychainError) {
        let program = try PluginProgram.check(path, what)
        do throws(SystemCallError) {
            process = try ChildProcess(plugin: program, as: path)
        } catch {
            throw PluginFailure.notStarted(error).error(words)
        }
    }

    /// For how long it may write nothing, and what it means if it does.
    package struct Limit {
        /// The end of waiting.
        package let deadline: Deadline
        /// The failure once that has passed.
        package let failure: PluginFailure

        package init(_ deadline: Deadline, _ failure: PluginFailure) {
            self.deadline = deadline
            self.failure = failure
        }
    }

    /// Writes a line, which ends with a line feed.
    package func write(_ line: borrowing Secret, within limit: Limit) throws(PluginFailure) {
        do throws(LineChannel.Failure) {
            try process.channel.write(line, until: limit.deadline)
        } catch {
            throw PluginFailure(error, deadline: limit.failure)
        }
    }

    /// Reads a line, without the line feed.
    package func readLine(within limit: Limit) throws(PluginFailure) -> Secret {
        do throws(LineChannel.Failure) {
            guard let line = try process.channel.readLine(until: limit.deadline) else {
                throw .ended
            }
            return line
        } catch {
            throw PluginFailure(error, deadline: limit.failure)
        }
    }
}
