internal import PluginProcesses

/// Runs a transport's program to its end: serves the transport, or prints its help or its version.
///
/// - Parameters:
///   - name: The program's name.
///   - help: What `--help` prints, without the final newline.
package func runSyncPlugin<Server: SyncServer>(
    _ type: Server.Type, name: String, help: String
) -> Never {
    runPluginProgram(name: name, help: help) { serveSyncPlugin(type) }
}
