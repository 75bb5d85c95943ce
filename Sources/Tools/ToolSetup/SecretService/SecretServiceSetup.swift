package import KeychainServices
internal import LinuxSystem

/// Sets up Lanyard as the Secret Service of the user's sessions.
///
/// The bus starts it when a program uses it. Some programs, docker's for one, only look for a running one:
/// therefore systemd also starts it at login, where it manages the session.
package struct SecretServiceSetup {
    /// The name of the program.
    package static let program = "lanyard-secret-service"

    let environment: SetupEnvironment
    /// Whether another Secret Service may lose its place that has items.
    var leavesItems = false

    /// Creates a setup in an environment.
    package init(environment: SetupEnvironment) {
        self.environment = environment
    }

    /// Adds the necessary files.
    func propose(_ proposal: inout Proposal) throws(KeychainError) {
        guard environment.hasSessionBus else {
            throw SecretServiceSetup.noBus
        }
        let program = try program()
        let other = try OtherService.find(program, environment)
        if let items = other?.items, !leavesItems {
            throw items.error
        }
        proposal.notes += other?.notes ?? []
        if environment.value("LANYARD_HOME") != nil {
            proposal.notes.append(
                "LANYARD_HOME is set here: the bus and systemd start Lanyard without it, with the usual"
                    + " folders")
        }
        let services = UserServices(environment)
        for (name, summary) in [
            (
                ActivationFile.busName,
                "the session bus starts Lanyard when a program uses the Secret Service"
            ),
            (
                ActivationFile.nameOfLanyard,
                "Lanyard's own commands see that, and don't start it for themselves"
            ),
        ] {
            try propose(
                &proposal, "\(environment.userData())/dbus-1/services/\(name).service",
                activation(name, program, isOfSystemd: services != nil), summary: summary)
        }
        guard services != nil else {
            proposal.notes.append(
                "systemd does not manage this session: programs that only look for a running Secret"
                    + " Service, such as docker, find it once another program has used it")
            return
        }
        let folder = try UserServices.folder(environment)
        try propose(
            &proposal, "\(folder)/\(UserServices.unit)", SecretServiceSetup.unit(program),
            summary: "systemd runs Lanyard as the Secret Service")
        try proposeLink(&proposal, "\(folder)/default.target.wants/\(UserServices.unit)")
    }

    /// Makes the bus and systemd follow the files.
    func finish(_ direction: SetupPlan.Direction) throws(KeychainError) {
        // dbus-daemon also looks for new files each time that it has to start a program.
        if let program = try? program(),
            let answer = try? ForeignProgram(program, environment).run(["--reload-bus"]),
            direction == .setUp, answer.succeeded, !answer.output.isEmpty
        {
            throw KeychainError(
                .notAvailable,
                "the files are done, but the session bus does not read those in"
                    + " '\(try environment.userData())/dbus-1/services'",
                hint:
                    "add --undo, then use your account's HOME, and XDG_DATA_HOME as in your session"
            )
        }
        guard let services = UserServices(environment) else {
            return
        }
        guard direction == .setUp else {
            return try services.stop()
        }
        switch try ServiceOwner.find(try program(), environment)?.isLanyard {
        case nil: try services.reload(then: "restart")
        // One that the bus has started continues until it is idle.
        case true?: try services.reload(then: "try-restart")
        // systemd starts it at the next login.
        case false?: try services.reload(then: nil)
        }
    }

    /// Returns the program's path that stays the same after an upgrade, if possible.
    ///
    /// - Throws: ``Status/notAvailable`` if it is missing.
    package func program() throws(KeychainError) -> String {
        let neighbour = environment.path(ofNeighbour: SecretServiceSetup.program)
        let found = environment.path(ofProgram: SecretServiceSetup.program)
        let isSame = found.map { found in
            neighbour.map { PrivatePlace.areSame(found, $0) } ?? true
        }
        guard let program = isSame == true ? found : neighbour else {
            throw KeychainError(
                .notAvailable, "the program lanyard-secret-service is missing",
                hint: "install the package lanyard-secret-service")
        }
        // D-Bus and systemd each have their own quotes.
        guard program.utf8.allSatisfy({ $0 > 0x20 && !"'\"\\$%;#".utf8.contains($0) }) else {
            throw KeychainError(
                .param,
                "'\(program)' has characters that D-Bus or systemd can't start a program with",
                hint: "install Lanyard in another folder")
        }
        return program
    }

    /// Whether a file's text starts Lanyard's program.
    static func startsLanyard(_ bytes: FileBytes) -> Bool {
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).contains { line in
            (line.hasPrefix("Exec=") || line.hasPrefix("ExecStart="))
                && line.split(separator: " ").first?.hasSuffix("/\(program)") == true
        }
    }

    private func propose(
        _ proposal: inout Proposal, _ path: String, _ text: String, summary: String
    ) throws(KeychainError) {
        let file = try TargetFile(path)
        let bytes = FileBytes(text)
        guard file.bytes != bytes else {
            return
        }
        let base = try proposal.base(file)
        var summaries = [summary]
        if let base, !SecretServiceSetup.startsLanyard(base) {
            summaries.append("the file that is there now is saved, and an undo restores it")
        }
        let lines = (file.bytes ?? "").split(separator: 0x0A)
            .map { "-\(String(decoding: $0, as: UTF8.self))" }
        try proposal.change(
            file, base: base, to: bytes, .serviceFile, summary: summaries,
            lines: lines + text.split(separator: "\n").map { "+\($0)" }, .secret)
    }

    private func proposeLink(_ proposal: inout Proposal, _ path: String) throws(KeychainError) {
        let link = try TargetFile(path, .link)
        // systemctl writes an absolute path, which leads there as well.
        let target = "../\(UserServices.unit)"
        let unit = try "\(UserServices.folder(environment))/\(UserServices.unit)"
        guard link.bytes != FileBytes(target), link.bytes != FileBytes(unit) else {
            return
        }
        try proposal.change(
            link, base: try proposal.base(link), to: FileBytes(target), .link,
            summary: ["systemd starts it at login"], lines: ["+-> \(target)"], .link)
    }

    private func activation(_ name: String, _ program: String, isOfSystemd: Bool) -> String {
        """
        # Written by `lanyard setup secret-service`, which also removes it: --undo
        [D-BUS Service]
        Name=\(name)
        Exec=\(program) --exit-when-idle

        """ + (isOfSystemd ? "SystemdService=\(UserServices.unit)\n" : "")
    }

    /// The text of helpers/lanyard-secret-service.service.
    static func unit(_ program: String) -> String {
        """
        [Unit]
        Description=Secret Service with encrypted keychains
        Documentation=man:lanyard-secret-service(1)
        Requires=dbus.socket
        After=dbus.socket

        [Service]
        Type=dbus
        BusName=org.freedesktop.secrets
        ExecStart=\(program)
        Restart=on-failure
        UMask=0077
        # Nothing that takes a namespace, such as ProtectSystem or PrivateTmp: in one, keys that the kernel has unlocked are out of
        # reach. Programs for questions, plugins and git inherit these limits; some of them need a network.
        NoNewPrivileges=yes
        LimitCORE=0
        LockPersonality=yes
        MemoryDenyWriteExecute=yes
        RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
        SystemCallArchitectures=native
        SystemCallErrorNumber=EPERM
        SystemCallFilter=@system-service

        [Install]
        WantedBy=default.target

        """
    }

    static let noBus = KeychainError(
        .notAvailable,
        "there is no session bus here, on which programs look for the Secret Service",
        hint: "lanyard exec --secret-service -- COMMAND makes a bus for one command")
}
