#if SecretService
internal import CGIO
internal import KeychainServices

/// A value as it travels over D-Bus. The C type is GVariant.
@safe  // Safe: it owns one reference, which `deinit` gives back, or whoever calls `leak`.
struct Variant: ~Copyable {
    let pointer: OpaquePointer

    /// Takes a reference over, or a floating one, which is what GLib makes.
    init(taking pointer: OpaquePointer) {
        // Safe: the caller hands over a value that is alive.
        unsafe self.pointer = g_variant_take_ref(pointer)
    }

    deinit {
        // Safe: the reference is ours, and nothing comes after.
        unsafe g_variant_unref(pointer)
    }

    /// Hands the reference to the caller.
    consuming func leak() -> OpaquePointer {
        // Safe: without `deinit` the reference is not given back.
        let pointer = unsafe pointer
        discard self
        return unsafe pointer
    }

    /// GVariantType is the text itself.
    static func type(_ text: StaticString) -> OpaquePointer {
        // Safe: a literal has its NUL at the end and lives as long as the program.
        unsafe OpaquePointer(text.utf8Start)
    }
}

// MARK: Making

extension Variant {
    /// A string. The text is UTF-8 without NUL.
    static func string(_ text: ByteString) -> Variant {
        // A copy with a NUL behind it, as C has it.
        let characters = text.bytes.map { CChar(bitPattern: $0) } + [0]
        // Safe: it ends with the NUL.
        return unsafe Variant(taking: g_variant_new_string(characters))
    }

    /// The path of an object.
    static func path(_ path: String) -> Variant {
        // Safe: the path has its NUL at the end, and GLib copies it.
        unsafe Variant(taking: g_variant_new_object_path(path))
    }

    static func paths(_ paths: [String]) -> Variant {
        // Safe: `array` takes over what is leaked.
        unsafe array(of: "o", paths.map { unsafe Variant.path($0).leak() })
    }

    /// Bytes that need not stay secret.
    static func bytes(_ bytes: [UInt8]) -> Variant {
        // Safe: the array's own count, of elements of one byte.
        unsafe Variant(
            taking: g_variant_new_fixed_array(Variant.type("y"), bytes, gsize(bytes.count), 1))
    }

    static func flag(_ flag: Bool) -> Variant {
        // Safe: a new value is ours.
        unsafe Variant(taking: g_variant_new_boolean(flag ? 1 : 0))
    }

    /// The number 0 where the bus takes flags of which there are none.
    static var noFlags: Variant {
        // Safe: a new value is ours.
        unsafe Variant(taking: g_variant_new_uint32(0))
    }

    /// Attributes of an item, all of them UTF-8 without NUL.
    static func attributes(_ attributes: [ByteString: ByteString]) -> Variant {
        // Safe: `array` takes over the entries.
        unsafe array(
            of: "{ss}", attributes.map { unsafe entry(.string($0.key), .string($0.value)) })
    }

    /// The properties of a new item.
    static func properties(
        label: ByteString, attributes: [ByteString: ByteString]
    ) -> Variant {
        // Safe: `array` takes over the entries.
        unsafe array(
            of: "{sv}",
            [
                entry(.string("org.freedesktop.Secret.Item.Label"), .boxed(.string(label))),
                entry(
                    .string("org.freedesktop.Secret.Item.Attributes"),
                    .boxed(.attributes(attributes))),
            ])
    }

    static func boxed(_ value: borrowing Variant) -> Variant {
        // Safe: the box keeps a reference of its own.
        unsafe Variant(taking: g_variant_new_variant(value.pointer))
    }

    /// No arguments.
    static var none: Variant {
        // Safe: there is nothing to own.
        unsafe tuple([])
    }

    static func tuple(_ first: consuming Variant) -> Variant {
        // Safe: `tuple` takes over what is leaked.
        unsafe tuple([first.leak()])
    }

    static func tuple(_ first: consuming Variant, _ second: consuming Variant) -> Variant {
        // Safe: `tuple` takes over what is leaked.
        unsafe tuple([first.leak(), second.leak()])
    }

    static func tuple(
        _ first: consuming Variant, _ second: consuming Variant, _ third: consuming Variant
    ) -> Variant {
        // Safe: `tuple` takes over what is leaked.
        unsafe tuple([first.leak(), second.leak(), third.leak()])
    }

    static func tuple(
        _ first: consuming Variant, _ second: consuming Variant, _ third: consuming Variant,
        _ fourth: consuming Variant
    ) -> Variant {
        // Safe: `tuple` takes over what is leaked.
        unsafe tuple([first.leak(), second.leak(), third.leak(), fourth.leak()])
    }

    private static func tuple(_ parts: [OpaquePointer?]) -> Variant {
        // Safe: the parts are ours, GLib is told their count and takes references of its own.
        defer { unsafe parts.forEach { unsafe g_variant_unref($0) } }
        return unsafe Variant(taking: g_variant_new_tuple(parts, gsize(parts.count)))
    }

    private static func array(of type: StaticString, _ parts: [OpaquePointer?]) -> Variant {
        // Safe: the parts are ours, GLib is told their count and takes references of its own.
        defer { unsafe parts.forEach { unsafe g_variant_unref($0) } }
        return unsafe Variant(
            taking: g_variant_new_array(Variant.type(type), parts, gsize(parts.count)))
    }

    private static func entry(
        _ key: consuming Variant, _ value: consuming Variant
    ) -> OpaquePointer {
        // Safe: the entry keeps references of its own; it becomes the caller's.
        unsafe Variant(taking: g_variant_new_dict_entry(key.pointer, value.pointer)).leak()
    }
}

// MARK: Reading

extension Variant {
    /// How many parts an array or a tuple has.
    var count: Int {
        // Safe: the value is alive.
        unsafe Int(g_variant_n_children(pointer))
    }

    /// A part of an array, a tuple or a dictionary's entry.
    func child(_ index: Int) -> Variant {
        // Safe: GLib checks the index, and gives a reference.
        unsafe Variant(taking: g_variant_get_child_value(pointer, gsize(index)))
    }

    /// What is in a box.
    var content: Variant {
        // Safe: GLib gives a reference.
        unsafe Variant(taking: g_variant_get_variant(pointer))
    }

    /// The value under a name in a dictionary of boxes, nil if it is not there or of another type.
    func value(_ name: StaticString, _ type: StaticString) -> Variant? {
        // Safe: a literal has its NUL at the end; GLib gives a reference.
        unsafe g_variant_lookup_value(
            pointer, UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self),
            Variant.type(type)
        ).map { unsafe Variant(taking: $0) }
    }

    /// A string's text, or an object's path.
    var text: ByteString {
        var length: gsize = 0
        // Safe: the text is as long as GLib says, and copied while the value is alive.
        let start = unsafe UnsafeRawPointer(g_variant_get_string(pointer, &length))
        return unsafe ByteString(Array(UnsafeRawBufferPointer(start: start, count: Int(length))))
    }

    /// Whether this is an array of bytes.
    var isBytes: Bool {
        // Safe: the value is alive.
        unsafe g_variant_is_of_type(pointer, Variant.type("ay")) != 0
    }

    /// The bytes in an array of them.
    var bytes: [UInt8] {
        var count: gsize = 0
        // Safe: elements of one byte, as many as GLib says, copied while the value is alive.
        let start = unsafe g_variant_get_fixed_array(pointer, &count, 1)
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }

    var isTrue: Bool {
        // Safe: the value is alive.
        unsafe g_variant_get_boolean(pointer) != 0
    }

    var number: UInt64 {
        // Safe: the value is alive.
        unsafe UInt64(g_variant_get_uint64(pointer))
    }

    /// The paths in an array of them.
    var pathList: [String] { (0..<count).map { child($0).text.description } }

    /// The attributes in a dictionary of strings.
    var attributeList: [ByteString: ByteString] {
        var attributes: [ByteString: ByteString] = [:]
        for index in 0..<count {
            let entry = child(index)
            attributes[entry.child(0).text] = entry.child(1).text
        }
        return attributes
    }
}
#endif
