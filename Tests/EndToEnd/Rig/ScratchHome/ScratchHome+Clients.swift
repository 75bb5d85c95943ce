import Foundation
import Testing

extension ScratchHome {
    /// Writes the configuration of all clients, who read nothing of the machine's then.
    ///
    /// - Parameter registry: The one for which the helper is set up, with
    ///   ``ClientSetup/oneRegistry``.
    func configureClients(_ setup: ClientSetup, for registry: Registry? = nil) throws {
        let one = registry.map { #"{"credHelpers":{"\#($0.host)":"lanyard"}}"# } ?? "{}"
        // With nothing in it docker would look for other helpers.
        let nothing = #"{"auths":{"unused.example.com":{}}}"#
        let isForAll = setup == .everything
        let containers = "home/.config/containers"
        for folder in ["home/.docker", containers, "home/run", "home/run/containers"] {
            try makeFolder(folder)
        }
        _ = try write(
            isForAll ? #"{"credsStore":"lanyard"}"# : setup == .oneRegistry ? one : nothing,
            to: "home/.docker/config.json")
        _ = try write(
            isForAll ? "credential-helpers = [\"lanyard\"]\n" : "",
            to: "\(containers)/registries.conf")
        if setup == .oneRegistry {
            _ = try write(one, to: "home/run/containers/auth.json")
        }
        _ = try write(
            #"{"default":[{"type":"insecureAcceptAnything"}]}"#, to: "\(containers)/policy.json")
        _ = try write(
            """
            [storage]
            driver = "vfs"
            graphroot = "\(path)/home/images"
            runroot = "\(path)/home/run/images"

            """, to: "home/storage.conf")
        // Nothing in /dev/shm, in the journal or among the machine's groups of processes.
        _ = try write(
            """
            [engine]
            cgroup_manager = "cgroupfs"
            events_logger = "none"
            lock_type = "file"
            tmp_dir = "\(path)/home/run/libpod"

            """, to: "home/containers.conf")
    }

    /// A client that is to be run here, after ``configureClients(_:for:)``.
    func client(
        _ client: RegistryClient, _ arguments: [String], input: String = ""
    ) throws -> Command {
        var command = try command(
            client.rawValue, arguments, input: Array(input.utf8),
            variables: [
                "CONTAINERS_CONF": "\(path)/home/containers.conf",
                "CONTAINERS_STORAGE_CONF": "\(path)/home/storage.conf",
                // Without an engine the client itself logs in.
                "DOCKER_HOST": "unix://\(path)/no-engine",
                "XDG_RUNTIME_DIR": "\(path)/home/run",
                // Else what root has copied is noted in /var/lib; podman can't be told.
                "_CONTAINERS_ROOTLESS_UID": client == .skopeo ? "1" : nil,
            ])
        command.timeLimit = .seconds(120)
        return command
    }

    /// Runs a client that has to succeed.
    @discardableResult
    func succeeds(
        _ client: RegistryClient, _ arguments: [String], input: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        let outcome = try await self.client(client, arguments, input: input).run()
        try #require(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
        return outcome
    }

    /// Runs a client that has to fail and say why.
    func fails(
        _ client: RegistryClient, _ arguments: [String], input: String = "", saying reason: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await self.client(client, arguments, input: input).run()
        #expect(outcome.status != 0, "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.errorText.contains(reason), "\(outcome)", sourceLocation: sourceLocation)
    }

    /// Logs in, which has to succeed.
    func logIn(
        _ client: RegistryClient, _ registry: Registry, password: String = Registry.password,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await succeeds(
            client, client.login(registry), input: password, sourceLocation: sourceLocation)
    }

    /// A script that runs a program in Python, `$1`, with what is needed for docker-py.
    static let dockerPy = """
        for python in python3 /usr/bin/python3; do
            ! "$python" -c 'import docker.auth' 2>/dev/null || exec "$python" -c "$@"
        done
        exit 1
        """

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: "\(path)/\(name)", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }
}
