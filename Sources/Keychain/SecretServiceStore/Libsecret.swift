#if SecretService
internal import CLibsecret
internal import KeychainServices

/// The Secret Service of one program on a bus, through libsecret. If another program takes over,
/// calls fail.
///
/// Each call waits for its answer, or until the watch cancels it.
@safe  // Safe: it has a reference to the service, and lets go of what libsecret hands over.
struct Libsecret: ~Copyable {
    private let service: UnsafeMutablePointer<SecretService>
    private let connection: BusConnection
    /// The program's unique name.
    private let owner: String
    private let watch: CallWatch
    /// libsecret uses it as long as the service lives.
    private let questions: Questions

    /// Decides whether the service may ask the user.
    final class Questions {
        /// Whether a question may be shown.
        var mayBegin: () -> Bool = { false }
    }

    /// - Parameter owner: The program's unique name.
    init(
        _ connection: BusConnection, owner: String, _ watch: CallWatch, _ questions: Questions,
        loadsCollections: Bool = false
    ) throws(KeychainError) {
        // Safe: libsecret takes a reference to the connection, and this object becomes the
        // service's owner.
        let service = try unsafe watch.attempt { failure in
            unsafe lanyard_service_new(
                connection.pointer, owner,
                loadsCollections ? SECRET_SERVICE_LOAD_COLLECTIONS : SECRET_SERVICE_NONE,
                { data in
                    unsafe Unmanaged<Questions>.fromOpaque(data!).takeUnretainedValue().mayBegin()
                        ? 1 : 0
                }, Unmanaged.passUnretained(questions).toOpaque(), watch.cancellable,
                failure.pointer)
        }
        guard let service = unsafe service else {
            throw KeychainError(.notAvailable, "the Secret Service can't be reached")
        }
        unsafe self.service = service
        self.connection = connection
        self.owner = owner
        self.watch = watch
        self.questions = questions
    }

    deinit {
        // Safe: the reference is ours, and this is its last use.
        unsafe g_object_unref(service)
    }

    /// Makes a call, whose answer is a sign of life.
    private func attempt<Result>(
        _ body: (FailurePlace) -> Result
    ) throws(KeychainError) -> Result {
        let result = try watch.attempt(body)
        watch.hear()
        return result
    }

    /// Opens the session that transports secrets, unless it is open.
    ///
    /// - Throws: ``Status/notAvailable``, also if the service only accepts secrets in plain text.
    func openSession() throws(KeychainError) {
        // Safe: the service is alive, and owns the text.
        let isOpen = try attempt { failure in
            unsafe secret_service_ensure_session_sync(service, watch.cancellable, failure.pointer)
                != 0
        }
        guard isOpen, let algorithms = unsafe secret_service_get_session_algorithms(service),
            unsafe String(cString: algorithms) != "plain"
        else {
            throw KeychainError(.notAvailable, "the Secret Service offers no encrypted session")
        }
    }

    // MARK: Collections

    /// A collection's own properties.
    struct Collection {
        var path: String
        var label: String
        var isLocked: Bool
        var itemPaths: [String]

        // Safe: the collection is alive; its label and paths are copies.
        fileprivate init(_ collection: UnsafeMutablePointer<SecretCollection>) {
            unsafe path = String(cString: g_dbus_proxy_get_object_path(collection.asProxy))
            unsafe label = String(taking: secret_collection_get_label(collection)) ?? ""
            unsafe isLocked = secret_collection_get_locked(collection) != 0
            unsafe itemPaths = [String](taking: lanyard_item_paths(collection))
        }
    }

    /// Returns the path of the collection with an alias, nil if there is none.
    func collectionPath(alias: String) throws(KeychainError) -> String? {
        // Safe: the path is a copy.
        let path = try unsafe attempt { failure in
            unsafe secret_service_read_alias_dbus_path_sync(
                service, alias, watch.cancellable, failure.pointer)
        }
        return unsafe String(taking: path).flatMap { $0 == "/" ? nil : $0 }
    }

    /// Returns the collection at a path.
    ///
    /// - Throws: ``Status/itemNotFound`` if it does not exist.
    func collection(at path: String) throws(KeychainError) -> Collection {
        // Safe: the collection is ours until it has been read.
        let collection = try unsafe attempt { failure in
            unsafe secret_collection_new_for_dbus_path_sync(
                service, path, SECRET_COLLECTION_NONE, watch.cancellable, failure.pointer)
        }
        defer { unsafe g_object_unref(collection) }
        guard let collection = unsafe collection else {
            throw KeychainError(.itemNotFound)
        }
        return unsafe Collection(collection)
    }

    /// Returns all collections, if the service was told to load them.
    func collections() -> [Collection] {
        // Safe: the list and its collections are ours until they have been read.
        let list = unsafe secret_service_get_collections(service)
        defer { unsafe g_list_free_full(list) { unsafe g_object_unref($0) } }
        var collections: [Collection] = []
        var entry = unsafe list
        while let this = unsafe entry {
            unsafe collections.append(
                Collection(this.pointee.data.assumingMemoryBound(to: SecretCollection.self)))
            unsafe entry = this.pointee.next
        }
        return collections
    }

    /// Locks a collection.
    func lock(_ path: String) throws(KeychainError) {
        // Safe: the returned paths are copies, which are freed unused.
        var locked: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        defer { unsafe g_strfreev(locked) }
        _ = try attempt { failure in
            unsafe CStrings.with([path]) { paths in
                unsafe secret_service_lock_dbus_paths_sync(
                    service, paths, watch.cancellable, &locked, failure.pointer)
            }
        }
    }

    /// Unlocks a collection.
    func unlock(_ path: String) throws(KeychainError) {
        // Safe: as in `lock`.
        var unlocked: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        defer { unsafe g_strfreev(unlocked) }
        _ = try attempt { failure in
            unsafe CStrings.with([path]) { paths in
                unsafe secret_service_unlock_dbus_paths_sync(
                    service, paths, watch.cancellable, &unlocked, failure.pointer)
            }
        }
    }

    // MARK: Items

    /// Returns the paths of a collection's items that have at least these attributes.
    func search(
        _ attributes: [ByteString: ByteString], in collection: String
    ) throws(KeychainError) -> [String] {
        let wanted = AttributeTable(attributes)
        // Safe: the arguments live until the call ends; the list is a copy.
        let paths = try unsafe attempt { failure in
            unsafe lanyard_search(
                connection.pointer, owner, collection, wanted.pointer, watch.cancellable,
                failure.pointer)
        }
        return unsafe [String](taking: paths)
    }

    /// Returns the items that exist at these paths.
    func items(_ paths: [String]) throws(KeychainError) -> [RemoteItem] {
        var items: [RemoteItem] = []
        // Safe: the items are ours until they have been read.
        unsafe CStrings.with(paths) { paths in
            let array = unsafe lanyard_load_items(service, paths, watch.cancellable)!
            defer { unsafe g_ptr_array_unref(array) }
            for index in unsafe 0..<Int(array.pointee.len) {
                let item = unsafe array.pointee.pdata[index]!
                if let item = unsafe RemoteItem(item.assumingMemoryBound(to: SecretItem.self)) {
                    items.append(item)
                }
            }
        }
        guard !watch.isOver else {
            throw watch.failure
        }
        if !items.isEmpty {
            watch.hear()
        }
        return items
    }

    /// Returns the secrets of items by path; locked and deleted ones are missing.
    func secrets(of paths: [String]) throws(KeychainError) -> [String: SecretBox] {
        // Safe: the table and its content are ours until the secrets have been copied.
        let table = try unsafe attempt { failure in
            unsafe CStrings.with(paths) { paths in
                unsafe secret_service_get_secrets_for_dbus_paths_sync(
                    service, paths, watch.cancellable, failure.pointer)
            }
        }
        guard let table = unsafe table else {
            return [:]
        }
        defer { unsafe g_hash_table_unref(table) }
        var secrets: [String: SecretBox] = [:]
        unsafe forEachEntry(of: table) { path, value in
            var count: gsize = 0
            let value = OpaquePointer(value)
            let bytes = unsafe UnsafeRawBufferPointer(
                start: secret_value_get(value, &count), count: Int(count))
            let path = unsafe String(cString: path.assumingMemoryBound(to: CChar.self))
            unsafe secrets[path] = SecretBox(
                Secret(copying: bytes.bindMemory(to: UInt8.self).span))
        }
        return secrets
    }

    /// Creates an item.
    ///
    /// - Returns: Its path.
    func create(
        _ item: WrittenItem, _ value: borrowing SecretCopy, in collection: String
    ) throws(KeychainError) -> String {
        let attributes = AttributeTable(item.attributes)
        // Safe: the arguments live until the call ends; the path is a copy.
        let path = try unsafe attempt { failure in
            unsafe lanyard_create_item(
                service, collection, String(decoding: item.label.bytes, as: UTF8.self),
                attributes.pointer, value.pointer, watch.cancellable, failure.pointer)
        }
        guard let path = unsafe String(taking: path), path != "/" else {
            throw KeychainError(.userCanceled)
        }
        return path
    }

    /// Deletes an item.
    func delete(_ path: String) throws(KeychainError) {
        // Safe: the service is alive.
        _ = try attempt { failure in
            unsafe secret_service_delete_item_dbus_path_sync(
                service, path, watch.cancellable, failure.pointer)
        }
    }

    /// Replaces an item's secret.
    func setSecret(_ value: borrowing SecretCopy, of path: String) throws(KeychainError) {
        // Safe: the item and the value live until the call ends.
        try unsafe change(path) { item, failure in
            unsafe secret_item_set_secret_sync(
                item, value.pointer, watch.cancellable, failure.pointer)
        }
    }

    /// Replaces an item's attributes.
    func setAttributes(
        _ attributes: [ByteString: ByteString], of path: String
    ) throws(KeychainError) {
        let table = AttributeTable(attributes)
        // Safe: the item and the table live until the call ends.
        try unsafe change(path) { item, failure in
            unsafe secret_item_set_attributes_sync(
                item, nil, table.pointer, watch.cancellable, failure.pointer)
        }
    }

    /// Replaces an item's label.
    func setLabel(_ label: ByteString, of path: String) throws(KeychainError) {
        // Safe: the item and the text live until the call ends.
        try unsafe change(path) { item, failure in
            unsafe secret_item_set_label_sync(
                item, String(decoding: label.bytes, as: UTF8.self), watch.cancellable,
                failure.pointer)
        }
    }

    private func change(
        _ path: String,
        _ body: (UnsafeMutablePointer<SecretItem>, FailurePlace) -> gboolean
    ) throws(KeychainError) {
        // Safe: the item is ours until it has been changed.
        let item = try unsafe attempt { failure in
            unsafe secret_item_new_for_dbus_path_sync(
                service, path, SECRET_ITEM_NONE, watch.cancellable, failure.pointer)
        }
        defer { unsafe g_object_unref(item) }
        guard let item = unsafe item else {
            throw KeychainError(.itemNotFound)
        }
        _ = try attempt { failure in unsafe body(item, failure) }
    }
}

/// The place where a GLib function puts its error.
@safe  // Safe: it is used only as long as the call goes on that it was made for.
struct FailurePlace {
    let pointer: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>
}

extension CallWatch {
    /// Makes a call that waits.
    ///
    /// - Throws: Its error; ``failure`` if it was canceled.
    func attempt<Result>(_ body: (FailurePlace) -> Result) throws(KeychainError) -> Result {
        var error: UnsafeMutablePointer<GError>?
        // Safe: GLib hands the error over, which is ours then.
        let result = unsafe withUnsafeMutablePointer(to: &error) {
            unsafe body(FailurePlace(pointer: $0))
        }
        if let error = unsafe error {
            let failure = unsafe KeychainError(taking: error)
            throw isOver ? self.failure : failure
        }
        return result
    }
}
#endif
