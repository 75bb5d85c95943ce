#if SecretService
internal import CLibsecret
public import KeychainServices

/// A collection of the desktop's Secret Service, as a store of items.
///
/// The items of git-credential-libsecret (access group `git`), docker-credential-secretservice
/// (`docker`) and `secret-tool store service S account A` (`login`) are found and kept in their
/// programs' own form, all others in one that no other program asks for. Items of further programs
/// are neither shown nor touched.
///
/// Nothing waits longer than ``timeLimit``: a service that shows that it is there but is too busy to answer
/// is ``Status/databaseLocked`` then. A bus or a service that is missing, or shows nothing within
/// ``silenceLimit``, is ``Status/notAvailable``. A secret that is locked is
/// ``Status/interactionNotAllowed``, unless a person may be asked and is there.
///
/// The service has no transactions, see ``transaction(_:)``. Processes with this store take turns where they
/// have to, see ``ServiceLock``. Nothing keeps another program from adding the same item in the same moment:
/// then it is there twice, and is found, changed and deleted as one.
///
/// The corresponding interface is org.freedesktop.Secret.Collection of the Secret Service API.
public final class SecretServiceStore: KeychainStore {
    /// How many milliseconds a call may take, unless a person is asked: 5,000.
    public var timeLimit: Int64 = 5_000
    /// How many milliseconds the service has for its first sign of life: 1,000.
    public var silenceLimit: Int64 = 1_000
    /// Whether a person may be asked to unlock the collection: no.
    public var isPromptAllowed = false
    /// Called when a person is about to be asked; from then on the call may take two minutes.
    public var promptBegins: (() -> Void)?

    /// How many milliseconds a person has for her answer.
    static let promptLimit: Int64 = 120_000

    /// What names the collection, nil for the default one.
    let collection: String?
    private let givenAddress: String?
    private let runtimeFolder: String?
    let watch = CallWatch()
    private var link: ServiceLink?
    private var isRunning = false

    var paths: [ItemID: String] = [:]
    var held: HeldChanges?
    /// The turn of what is done now.
    private(set) var turn: TakenTurn?
    /// The turn in which a transaction has looked in vain for an item: who adds it next need not look again.
    var absence: TakenTurn?
    /// The names of other programs' items that a search came upon, by their paths.
    var foreign: [String: String] = [:]
    private var lastMoment: Int64 = 0

    /// A store in a collection. Nothing is connected to before the first call.
    ///
    /// - Parameter collection: An alias of the collection, the last part of its path or its label;
    ///   nil for the one with the alias `default`.
    public convenience init(collection: String? = nil) {
        self.init(collection: collection, address: nil, runtimeFolder: SessionBus.runtimeFolder)
    }

    /// A store in a collection of the Secret Service on the bus with this address, whose turns are taken in
    /// a folder.
    init(collection: String?, address: String?, runtimeFolder: String? = nil) {
        self.collection = collection
        givenAddress = address
        self.runtimeFolder = runtimeFolder
    }

    deinit {
        watch.stop()
    }

    /// Runs a closure that needs the service, in its turn. What it waits for in all is limited.
    ///
    /// A connection that failed is given up; the next call connects anew.
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

    /// Waits for the turn, if it is not the one in which the item was looked for that is now added.
    private func take(_ kind: ServiceLock.Kind) {
        if case .adding(let identity) = kind, let absence, absence.adds == identity {
            turn = absence
        } else {
            absence = nil
            turn = TakenTurn(kind, in: runtimeFolder, timeLimit: min(timeLimit / 2, 2_000))
        }
    }

    /// Runs a closure, and again where it came too early.
    private func attempt<Result: ~Copyable>(
        _ link: ServiceLink, _ body: (ServiceLink) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        for _ in 0..<SecretServiceStore.attempts {
            do throws(KeychainError) {
                return try body(link)
            } catch {
                // gnome-keyring says so now and then to somebody who has just come.
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
            address = try SessionBus.address()
        }
        let link = try ServiceLink(try BusConnection(address: address, watch), collection, watch)
        link.questions.mayBegin = { [weak self, unowned link] in self?.mayAsk(link) ?? false }
        self.link = link
        return link
    }

    /// Now, in nanoseconds since the epoch; never the same moment twice.
    func nextMoment() -> Int64 {
        lastMoment = max(Int64(g_get_real_time()) * 1_000, lastMoment + 1)
        return lastMoment
    }
}
#endif
