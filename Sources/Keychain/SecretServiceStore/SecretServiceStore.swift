#if SecretService
internal import CLibsecret
public import KeychainServices

/// A collection of the desktop's Secret Service, as a store of items.
///
/// The store shares items with git-credential-libsecret (access group `git`),
/// docker-credential-secretservice (`docker`) and `secret-tool store service S account A`
/// (`login`), in those programs' own form. All other items have a form that no other program
/// searches for. Items of further programs are neither shown nor touched.
///
/// No call waits longer than ``timeLimit``: a service that is alive but too busy to answer is
/// ``Status/databaseLocked`` then. A bus or a service that is missing, or silent for
/// ``silenceLimit``, is ``Status/notAvailable``. A locked secret is
/// ``Status/interactionNotAllowed``, unless the user may and can be asked.
///
/// The service has no transactions, see ``transaction(_:)``. Processes with this store use locks
/// where necessary, see ``ServiceLock``. Another program may still add the same item at the same
/// moment. The item then exists twice, and is found, changed and deleted as one.
///
/// The corresponding interface is org.freedesktop.Secret.Collection of the Secret Service API.
public final class SecretServiceStore: KeychainStore {
    /// The milliseconds that a call may take unless the user is asked: 5,000.
    public var timeLimit: Int64 = 5_000
    /// The milliseconds that the service has for its first sign of life: 1,000.
    public var silenceLimit: Int64 = 1_000
    /// Whether the user may be asked to unlock the collection: no by default.
    public var isPromptAllowed = false
    /// Whether the query of the present walk keeps it from asking the user.
    var isAskingSuppressed = false
    /// Called before the user is asked; the call may then take two minutes.
    public var promptBegins: (() -> Void)?

    /// The milliseconds that the user has for an answer.
    static let promptLimit: Int64 = 120_000

    /// The alias, path or label of the collection, nil for the default one.
    let collection: String?
    private let givenAddress: String?
    private let runtimeFolder: String?
    let watch = CallWatch()
    private var link: ServiceLink?
    private var isRunning = false

    var paths: [ItemID: String] = [:]
    var held: HeldChanges?
    /// The lock of the present operation.
    private(set) var turn: TakenTurn?
    /// The lock under which a transaction has searched for an item in vain: adding it then needs no
    /// new search.
    var absence: TakenTurn?
    /// The names of other programs' items that a search found, by path.
    var foreign: [String: String] = [:]
    private var lastMoment: Int64 = 0

    /// Creates a store for a collection. The first call connects to the bus.
    ///
    /// - Parameter collection: An alias of the collection, the last part of its path or its label;
    ///   nil for the one with the alias `default`.
    public convenience init(collection: String? = nil) {
        self.init(collection: collection, address: nil, runtimeFolder: BusConnection.runtimeFolder)
    }

    /// Creates a store for a collection on the bus with this address, with its locks in a folder.
    init(collection: String?, address: String?, runtimeFolder: String? = nil) {
        self.collection = collection
        givenAddress = address
        self.runtimeFolder = runtimeFolder
    }

    deinit {
        watch.stop()
    }

    /// Runs a closure that needs the service, under its lock and within the time limit.
    ///
    /// A failed connection is dropped; the next call connects again.
    func perform<Result: ~Copyable>(
        _ kind: ServiceLock.Kind = .using,
        _ body: (ServiceLink) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        if isRunning, let link {
            return try body(link)
        }
        isRunning = true
        defer { isRunning = false }
        do throws(KeychainError) {
            return try watch.run(limit: timeLimit, silence: silenceLimit) {
                () throws(KeychainError) -> Result in
                let link = try connected()
                take(kind)
                defer { turn = nil }
                return try attempt(link, body)
            }
        } catch {
            if error.status == .notAvailable {
                link = nil
            }
            throw error
        }
    }

    /// Takes a lock, unless it is the one under which the item to add was searched for.
    private func take(_ kind: ServiceLock.Kind) {
        if case .adding(let identity) = kind, let absence, absence.adds == identity {
            turn = absence
        } else {
            absence = nil
            turn = TakenTurn(kind, in: runtimeFolder, timeLimit: min(timeLimit / 2, 2_000))
        }
    }

    /// Runs a closure, and repeats it if it came too early.
    private func attempt<Result: ~Copyable>(
        _ link: ServiceLink, _ body: (ServiceLink) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        for _ in 0..<SecretServiceStore.attempts {
            do throws(KeychainError) {
                return try body(link)
            } catch {
                // gnome-keyring sometimes reports this to a program that has just connected.
                guard error.status == .noSuchKeychain, (try? link.path()) != nil else {
                    throw error
                }
                g_usleep(2_000)
            }
        }
        return try body(link)
    }

    private static let attempts = 10

    private func connected() throws(KeychainError) -> ServiceLink {
        if let link, link.isAlive {
            return link
        }
        let address: String
        if let givenAddress {
            address = givenAddress
        } else {
            address = try BusConnection.sessionAddress()
        }
        let link = try ServiceLink(try BusConnection(address: address, watch), collection, watch)
        link.questions.mayBegin = { [weak self, unowned link] in self?.mayAsk(link) ?? false }
        self.link = link
        return link
    }

    /// Returns the current time in nanoseconds since the epoch; never the same twice.
    func nextMoment() -> Int64 {
        lastMoment = max(Int64(g_get_real_time()) * 1_000, lastMoment + 1)
        return lastMoment
    }
}
#endif
