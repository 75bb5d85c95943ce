#if SecretService
internal import CGIO
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
/// have to, see ``ServiceTurn``, but nothing keeps another program, or one that waited too long, from
/// adding the same item in the same moment. Then one of them, and now and then both, takes its own
/// back with ``Status/duplicateItem``: who looks again finds what is there.
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
    let loop = EventLoop()
    private var link: ServiceLink?
    private var opening: BusOpening?
    private var isRunning = false

    var paths: [ItemID: String] = [:]
    var held: HeldChanges?
    /// The identity that was looked for last, if nothing had it. What comes in between shows after adding.
    var absent: ItemIdentity?
    /// The names of other programs' items that a search came upon, by their paths.
    var foreign: [String: String] = [:]
    private var lastMoment: Int64 = 0

    /// A store in a collection. Nothing is connected to before the first call.
    ///
    /// - Parameter collection: An alias of the collection, the last part of its path or its label;
    ///   nil for the one with the alias `default`.
    public convenience init(collection: String? = nil) {
        self.init(collection: collection, address: nil, runtimeFolder: Bus.runtimeFolder)
    }

    /// A store in a collection of the Secret Service on the bus with this address, whose turns are taken in
    /// a folder.
    init(collection: String?, address: String?, runtimeFolder: String? = nil) {
        self.collection = collection
        givenAddress = address
        self.runtimeFolder = runtimeFolder
    }

    /// Runs a closure that needs the service, in its turn. What it waits for in all is limited.
    ///
    /// A connection that failed is given up; the next call connects anew.
    func perform<Result: ~Copyable>(
        _ kind: ServiceTurn.Kind = .using,
        _ body: (ServiceLink) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        if isRunning, let link {
            return try body(link)
        }
        isRunning = true
        defer { isRunning = false }
        do throws(KeychainError) {
            return try loop.run(limit: timeLimit, silence: silenceLimit) {
                () throws(KeychainError) -> Result in
                let link = try connected()
                link.bus.ping()
                let turn = ServiceTurn(
                    kind, in: runtimeFolder, timeLimit: min(timeLimit / 2, 2_000))
                defer { extendLifetime(turn) }
                return try attempt(link, body)
            }
        } catch {
            if error.status == .notAvailable {
                link = nil
            }
            throw error
        }
    }

    /// Runs a closure, and again where it came too early.
    private func attempt<Result: ~Copyable>(
        _ link: ServiceLink, _ body: (ServiceLink) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        for attempt in 0..<SecretServiceStore.attempts {
            do throws(KeychainError) {
                return try body(link)
            } catch {
                switch error.status {
                case .notAvailable where attempt == 0:
                    guard try link.bus.start() else {
                        throw error
                    }
                case .noSuchKeychain:
                    // gnome-keyring says so now and then to somebody who has just come.
                    guard (try? link.realPath()) != nil else {
                        throw error
                    }
                    g_usleep(2_000)
                default: throw error
                }
            }
        }
        return try body(link)
    }

    private static let attempts = 10

    /// Begins to connect to the bus, so that this goes on while something else is done. Whether it
    /// succeeds shows with the first call, which begins by itself otherwise.
    public func connectAhead() {
        opening = try? begin()
    }

    private func begin() throws(KeychainError) -> BusOpening {
        let address: String
        if let givenAddress {
            address = givenAddress
        } else {
            address = try Bus.sessionAddress()
        }
        return BusOpening(address: address, loop)
    }

    private func connected() throws(KeychainError) -> ServiceLink {
        if let link, link.isAlive {
            return link
        }
        let opening: BusOpening
        if let begun = self.opening {
            opening = begun
            self.opening = nil
        } else {
            opening = try begin()
        }
        let link = ServiceLink(try Bus(opening, loop), collection)
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
