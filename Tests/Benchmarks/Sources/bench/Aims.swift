extension Aim {
    /// What the programs are held to.
    static var all: [Aim] {
        let git = "git-credential-lanyard"
        let docker = "docker-credential-lanyard"
        func work(_ name: String, _ count: Int) -> String { Result.work(name, count) }
        func aim(
            _ title: String, _ against: String, _ work: String, _ ours: String, _ peer: String,
            _ limit: Double, peerWork: String? = nil, isOfCPU: Bool = false
        ) -> Aim {
            Aim(
                work: title, against: against, ours: (work, ours), peer: (peerWork ?? work, peer),
                limit: limit, isOfCPU: isOfCPU)
        }
        let getOne = work("git get", 1)
        let storeOne = work("git store of a new login", 1)
        let storeMany = work("git store of a new login", 10_000)
        let getMany = work("git get", 10_000)
        let libsecret = "git-credential-libsecret"
        let plainText = "git-credential-store"
        let secretService = "docker-credential-secretservice"
        var longList = aim(
            "docker list, 100,000 logins", "its own list of 1,000, per login",
            work("docker list", 100_000), docker, "\(docker) with 1,000", 1.2)
        longList.logins = (100_000, 1000)
        let sizes = [git, docker].map { name in
            Aim(
                work: "size", against: name, ours: ("size of a protocol helper", name),
                limit: 4_800_000)
        }
        return [
            aim("git get, 1 item", "an empty C program", getOne, git, "empty C program", 3.5),
            aim("git get, 1 item", libsecret, getOne, git, libsecret, 0.2),
            aim(
                "git get, 1 item, just installed: CPU", "\(plainText), 1 line", getOne, git,
                plainText, 0.95, isOfCPU: true),
            aim(
                "git get, 1 item, after dropping its pages: CPU", "\(plainText), 1 line",
                dropped(getOne), git, plainText, 1, isOfCPU: true),
            aim(
                "git get, 10,000 items", "\(plainText), 10,000 lines", getMany, git, plainText, 0.8),
            aim(
                "git get, 1,000,000 items", "the same at 1 item", work("git get", 1_000_000), git,
                "\(git) with 1", 1.1),
            aim("git store of a new login, durable", libsecret, storeOne, git, libsecret, 0.6),
            aim(
                "git store of the 10,000th login", "\(plainText), 10,000 lines", storeMany, git,
                plainText, 0.6),
            aim(
                "docker get, 1,000 logins", secretService, work("docker get", 1000), docker,
                secretService, 0.18),
            aim(
                "docker list, 1,000 logins", secretService, work("docker list", 1000), docker,
                secretService, 0.006),
            longList,
            aim(
                "lanyard get", "secret-tool lookup", "lanyard get", "lanyard get",
                "secret-tool lookup", 0.35),
            aim(
                "lanyard get", "Python keyring get", "lanyard get", "lanyard get",
                "Python keyring get", 0.03),
            aim(
                "keyring get", "Python keyring get", "lanyard get", "keyring-lanyard get",
                "Python keyring get", 0.02),
            Aim(
                work: "import of 100,000 logins, durable", against: "nothing: a bound",
                ours: (work("import into an empty file", 100_000), "lanyard import"), limit: 3000,
                unit: .milliseconds),
            aim(
                "import of 500 logins into gnome-keyring", "the same stores by libsecret in C",
                work("import into the Secret Service", 500), "lanyard import", "libsecret, in C",
                1.3),
            aim(
                "secret-tool lookup from us, 1,000 items", "gnome-keyring",
                work("secret-tool lookup", 1000), "lanyard-secret-service", "gnome-keyring", 0.8),
            aim(
                "secret-tool store into ours, 1,000 items", "gnome-keyring",
                work("secret-tool store", 1000), "lanyard-secret-service", "gnome-keyring", 0.8),
            aim(
                "100 searches in ours, 10,000 items", "gnome-keyring",
                work("100 searches by libsecret", 10_000), "lanyard-secret-service",
                "gnome-keyring", 0.1),
            Aim(
                work: "memory of the idle Secret Service", against: "nothing: a bound",
                ours: (
                    "memory of the idle Secret Service, resident", "lanyard-secret-service"
                ), limit: 12 * 1024, unit: .kibibytes),
            Aim(
                work: "memory of the idle SSH agent", against: "nothing: a bound",
                ours: ("memory of the idle SSH agent, resident", "lanyard-ssh-agent"),
                limit: 5.6 * 1024, unit: .kibibytes),
            Aim(
                work: "peak memory of a git get", against: "nothing: a bound",
                ours: ("peak memory of a git get", git), limit: 4096, unit: .kibibytes),
            Aim(
                work: "size of all programs", against: "nothing: a bound",
                ours: ("size of all programs", "lanyard"), limit: 45_000_000),
            Aim(
                work: "1,000 changes, each until its event, the longest",
                against: "nothing: a bound",
                ours: (work("a change until its event", 1000), "lanyard watch, the longest"),
                limit: 100, unit: .milliseconds),
            Aim(
                work: "first exchange of 10,000 items", against: "nothing: a bound",
                ours: (work("first exchange of a device", 10_000), "PostgreSQL"), limit: 5000,
                unit: .milliseconds),
            Aim(
                work: "peak memory of a first exchange of 10,000 items",
                against: "nothing: a bound",
                ours: (work("peak memory of a first exchange", 10_000), "PostgreSQL"),
                limit: 28 * 1024, unit: .kibibytes),
            Aim(
                work: "exchange with nothing new, 10,000 items", against: "nothing: a bound",
                ours: (work("exchange with nothing new", 10_000), "PostgreSQL"), limit: 40,
                unit: .milliseconds),
            aim(
                "exchange of one change, 10,000 items", "the same with 1,000",
                work("exchange of one change", 10_000), "PostgreSQL", "PostgreSQL", 1.5,
                peerWork: work("exchange of one change", 1000)),
            aim(
                "peak memory of an exchange of one change, 10,000 items", "the same with 1,000",
                work("peak memory of an exchange of one change", 10_000), "PostgreSQL",
                "PostgreSQL", 1.2,
                peerWork: work("peak memory of an exchange of one change", 1000)),
            Aim(
                work: "a new item until 50 devices have it", against: "nothing: a bound",
                ours: ("a new item until 50 devices have it", "PostgreSQL"), limit: 2000,
                unit: .milliseconds),
            aim(
                "peak memory of a git get", libsecret, "peak memory of a git get", git, libsecret, 1
            ),
        ] + sizes
            + toolHelpers.map { helper in
                aim("\(helper) get", "git get", "\(helper) get", helper, git, 1.3)
            }
    }
}

/// Prints the table of aims from what was measured.
func printAims() {
    let results = Result.all()
    var table = Table("work", "against", "Lanyard", "it", "ratio", "aim", "met?")
    table.rows += Aim.all.map { $0.row(results) }
    table.lines.forEach(say)
}
