#if SecretService
internal import CLibsecret
internal import Glibc
internal import KeychainServices

/// A secret in libsecret's memory, which is not paged out, and is overwritten when freed.
@safe  // Safe: it has the only reference, until `deinit`.
struct SecretCopy: ~Copyable {
    let pointer: OpaquePointer

    /// - Parameter isText: Whether to declare it as text, if it is text.
    init(_ secret: borrowing Secret, isText: Bool) {
        // Safe: the span's own bytes and count, which libsecret copies.
        unsafe pointer = secret.withBytes { span in
            unsafe span.withAddress { bytes, count in
                let start = unsafe UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
                let isUTF8 =
                    unsafe count == 0 || g_utf8_validate_len(start, gsize(count), nil) != 0
                return unsafe secret_value_new(
                    start, gssize(count),
                    isText && isUTF8 ? "text/plain" : "application/octet-stream")
            }
        }
    }

    deinit {
        // Safe: the reference is ours, and this is its last use.
        unsafe secret_value_unref(UnsafeMutableRawPointer(pointer))
    }
}

/// Attributes in libsecret's form, all of them UTF-8 without NUL.
@safe  // Safe: it has the only reference, until `deinit`, and the table owns copies of the texts.
struct AttributeTable: ~Copyable {
    let pointer: OpaquePointer

    init(_ attributes: [ByteString: ByteString]) {
        // Safe: a new table is ours.
        unsafe pointer = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)
        for (key, value) in attributes {
            unsafe g_hash_table_insert(
                pointer, g_strdup(String(decoding: key.bytes, as: UTF8.self)),
                g_strdup(String(decoding: value.bytes, as: UTF8.self)))
        }
    }

    deinit {
        // Safe: the reference is ours, and this is its last use.
        unsafe g_hash_table_unref(pointer)
    }
}

/// Texts in C's form.
enum CStrings {
    /// Passes a closure a list that ends with NULL and lives as long as the closure runs.
    static func with<Result>(
        _ texts: [String], _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        // Safe: the copies are freed after the closure.
        var copies = unsafe texts.map { unsafe UnsafePointer(g_strdup($0)) } + [nil]
        defer { unsafe copies.forEach { unsafe g_free(UnsafeMutablePointer(mutating: $0)) } }
        return unsafe copies.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress!) }
    }
}

extension String {
    /// Takes a text over from C and frees it; nil for NULL.
    init?(taking text: UnsafeMutablePointer<CChar>?) {
        // Safe: the caller hands over a text that ends with NUL.
        guard let text = unsafe text else {
            return nil
        }
        unsafe self.init(cString: text)
        unsafe g_free(text)
    }
}

extension [String] {
    /// Takes a list of texts over from C and frees it.
    init(taking list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) {
        self = []
        // Safe: the caller hands over a list that ends with NULL, or none.
        var place = unsafe list
        while let this = unsafe place, let text = unsafe this.pointee {
            unsafe append(String(cString: text))
            unsafe place = this + 1
        }
        unsafe g_strfreev(list)
    }
}

extension UnsafeMutablePointer {
    /// The object as a GDBusProxy.
    var asProxy: UnsafeMutablePointer<GDBusProxy> {
        // Safe: each class of libsecret begins with its parent class.
        unsafe UnsafeMutableRawPointer(self).assumingMemoryBound(to: GDBusProxy.self)
    }
}

/// Passes every key of a table and its value to a closure.
func forEachEntry(
    of table: OpaquePointer,
    _ body: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void
) {
    // Safe: the caller's table is alive, and does not change meanwhile.
    var entries = unsafe GHashTableIter()
    unsafe g_hash_table_iter_init(&entries, table)
    var key: UnsafeMutableRawPointer?
    var value: UnsafeMutableRawPointer?
    while unsafe g_hash_table_iter_next(&entries, &key, &value) != 0 {
        unsafe body(key!, value!)
    }
}

extension ByteString {
    /// Copies the bytes of a C text.
    init(copying text: UnsafePointer<CChar>) {
        // Safe: the caller's text ends with NUL.
        unsafe self.init(Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
    }
}
#endif
