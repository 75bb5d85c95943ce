#if SecretService
internal import CGLib
internal import Glibc
internal import KeychainServices

/// A value of D-Bus. The corresponding type is GVariant.
@safe  // Safe: it has a reference, until `deinit`.
final class BusValue {
    let pointer: OpaquePointer

    /// Takes over a reference, or a new value.
    init(taking pointer: OpaquePointer) {
        // Safe: the reference becomes ours.
        unsafe self.pointer = g_variant_take_ref(pointer)
    }

    /// Makes a reference of its own.
    init(sharing pointer: OpaquePointer) {
        // Safe: the caller's value is alive.
        unsafe self.pointer = g_variant_ref_sink(pointer)
    }

    deinit {
        // Safe: the reference is ours, and this is its last use.
        unsafe g_variant_unref(pointer)
    }
}

// Writing.
extension BusValue {
    /// A text. What D-Bus has no form for is left out: it is UTF-8 without NUL.
    static func text(_ text: ByteString) -> BusValue {
        let valid = String(decoding: text.bytes.filter { $0 != 0 }, as: UTF8.self)
        // Safe: GLib copies the text.
        return unsafe BusValue(taking: g_variant_new_string(valid))
    }

    static func text(_ text: String) -> BusValue { .text(ByteString(text)) }

    static func path(_ path: String) -> BusValue {
        // Safe: GLib copies the text, which is a path.
        unsafe BusValue(taking: g_variant_new_object_path(path))
    }

    static func paths(_ paths: [String]) -> BusValue { array("o", paths.map { .path($0) }) }

    static func flag(_ flag: Bool) -> BusValue {
        // Safe: a new value.
        unsafe BusValue(taking: g_variant_new_boolean(flag ? 1 : 0))
    }

    static func number(_ number: UInt64) -> BusValue {
        // Safe: a new value.
        unsafe BusValue(taking: g_variant_new_uint64(guint64(number)))
    }

    static func smallNumber(_ number: UInt32) -> BusValue {
        // Safe: a new value.
        unsafe BusValue(taking: g_variant_new_uint32(number))
    }

    /// Bytes that are overwritten before their memory is freed.
    static func bytes(_ bytes: Span<UInt8>) -> BusValue {
        // Safe: the span's own bytes, which are copied.
        unsafe bytes.withAddress { unsafe BusValue(taking: lanyard_bytes($0, gsize($1))) }
    }

    static func variant(_ value: BusValue) -> BusValue {
        // Safe: the new value has a reference of its own.
        unsafe BusValue(taking: g_variant_new_variant(value.pointer))
    }

    static func tuple(_ values: [BusValue]) -> BusValue {
        // Safe: the new value has references of its own.
        unsafe withPointers(values) { unsafe BusValue(taking: g_variant_new_tuple($0, $1)) }
    }

    /// - Parameter type: The elements' type.
    static func array(_ type: StaticString, _ values: [BusValue]) -> BusValue {
        // Safe: as above, and a literal ends with NUL.
        unsafe withPointers(values) { pointers, count in
            unsafe BusValue(
                taking: lanyard_array(
                    UnsafeRawPointer(type.utf8Start).assumingMemoryBound(to: CChar.self),
                    pointers, count))
        }
    }

    static func entry(_ key: BusValue, _ value: BusValue) -> BusValue {
        // Safe: the new value has references of its own.
        unsafe BusValue(taking: g_variant_new_dict_entry(key.pointer, value.pointer))
    }

    /// Texts by texts.
    static func texts(_ texts: [ByteString: ByteString]) -> BusValue {
        array("{ss}", texts.map { .entry(.text($0.key), .text($0.value)) })
    }

    /// Values of any type by names.
    static func properties(_ properties: [String: BusValue]) -> BusValue {
        array("{sv}", properties.map { .entry(.text($0.key), .variant($0.value)) })
    }

    @unsafe  // Safe: the pointers are valid for the call.
    private static func withPointers(
        _ values: [BusValue],
        _ body: (UnsafeMutablePointer<OpaquePointer?>?, gsize) -> BusValue
    ) -> BusValue {
        // Safe: the values are alive.
        var pointers = unsafe values.map { unsafe Optional($0.pointer) }
        // Safe: as many as counted; the values live until the call returns.
        let made = unsafe pointers.withUnsafeMutableBufferPointer {
            unsafe body($0.baseAddress, gsize($0.count))
        }
        withExtendedLifetime(values) {}
        return made
    }
}

// Reading. The caller knows the type: GLib has compared a call's arguments with the interface.
extension BusValue {
    /// Whether it is of a type, in D-Bus' own notation.
    func isOf(_ type: StaticString) -> Bool {
        // Safe: the value is alive, and a literal ends with NUL.
        unsafe lanyard_is_of_type(
            pointer, UnsafeRawPointer(type.utf8Start).assumingMemoryBound(to: CChar.self)) != 0
    }

    var count: Int {
        // Safe: the value is alive.
        unsafe Int(g_variant_n_children(pointer))
    }

    subscript(index: Int) -> BusValue {
        // Safe: the child is a new reference.
        unsafe BusValue(taking: g_variant_get_child_value(pointer, gsize(index)))
    }

    var children: [BusValue] { (0..<count).map { self[$0] } }

    /// What a variant has in it.
    var content: BusValue {
        // Safe: the content is a new reference.
        unsafe BusValue(taking: g_variant_get_variant(pointer))
    }

    /// The text of a text or a path.
    var text: ByteString {
        var length: gsize = 0
        // Safe: the text lives as long as the value, and is copied.
        return unsafe g_variant_get_string(pointer, &length).map { text in
            unsafe ByteString(Array(UnsafeRawBufferPointer(start: text, count: Int(length))))
        } ?? ""
    }

    var string: String { text.description }

    var flag: Bool {
        // Safe: the value is alive.
        unsafe g_variant_get_boolean(pointer) != 0
    }

    var smallNumber: UInt32 {
        // Safe: the value is alive.
        unsafe g_variant_get_uint32(pointer)
    }

    /// The size in a message, in bytes.
    var size: Int {
        // Safe: the value is alive.
        unsafe Int(g_variant_get_size(pointer))
    }

    /// The most elements that a client may give: about as many paths of items as the largest message has.
    private static let elementLimit = 60_000

    /// ``children`` of what a client gave.
    ///
    /// - Throws: ``BusError/limitsExceeded(_:)``.
    private var elements: [BusValue] {
        get throws(BusError) {
            guard count <= BusValue.elementLimit else {
                throw .limitsExceeded("more than \(BusValue.elementLimit) elements are too many")
            }
            return children
        }
    }

    /// The texts or paths of a list.
    var strings: [String] {
        get throws(BusError) { try elements.map(\.string) }
    }

    /// The entries of a table of texts; the last one of a name counts.
    var texts: [ByteString: ByteString] {
        get throws(BusError) {
            Dictionary(try elements.map { ($0[0].text, $0[1].text) }) { _, last in last }
        }
    }

    /// The entries of a table of values by names.
    var properties: [String: BusValue] {
        get throws(BusError) {
            Dictionary(try elements.map { ($0[0].string, $0[1].content) }) { _, last in last }
        }
    }

    /// A copy of the bytes of an array of bytes.
    var bytes: Secret {
        var count: gsize = 0
        // Safe: the bytes live as long as the value, and are copied.
        let start = unsafe g_variant_get_fixed_array(pointer, &count, 1)
        let size = Int(count)
        return unsafe Secret(capacity: size) { memory in
            if let start = unsafe start {
                unsafe memory.copyMemory(
                    from: UnsafeRawBufferPointer(start: start, count: size))
            }
            return size
        }
    }
}
#endif
