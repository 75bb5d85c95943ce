#if SecretService
/// The interfaces of the Secret Service, version 0.2 of the specification.
enum Interfaces {
    static let prefix = "org.freedesktop.Secret."
    static let service = "\(prefix)Service"
    static let collection = "\(prefix)Collection"
    static let item = "\(prefix)Item"
    static let prompt = "\(prefix)Prompt"

    /// The interfaces in the order of ``descriptions``, one bit for each.
    enum Bit {
        static let service: UInt32 = 1
        static let collection: UInt32 = 2
        static let item: UInt32 = 4
        static let session: UInt32 = 8
        static let prompt: UInt32 = 16
        static let introspection: UInt32 = 32
    }

    /// The interfaces in D-Bus' introspection format, in the order of their bits.
    static let descriptions = [
        """
        <interface name="org.freedesktop.Secret.Service">
          <method name="OpenSession">
            <arg name="algorithm" type="s" direction="in"/><arg name="input" type="v" direction="in"/>
            <arg name="output" type="v" direction="out"/><arg name="result" type="o" direction="out"/>
          </method>
          <method name="CreateCollection">
            <arg name="properties" type="a{sv}" direction="in"/><arg name="alias" type="s" direction="in"/>
            <arg name="collection" type="o" direction="out"/><arg name="prompt" type="o" direction="out"/>
          </method>
          <method name="SearchItems">
            <arg name="attributes" type="a{ss}" direction="in"/>
            <arg name="unlocked" type="ao" direction="out"/><arg name="locked" type="ao" direction="out"/>
          </method>
          <method name="Unlock">
            <arg name="objects" type="ao" direction="in"/>
            <arg name="unlocked" type="ao" direction="out"/><arg name="prompt" type="o" direction="out"/>
          </method>
          <method name="Lock">
            <arg name="objects" type="ao" direction="in"/>
            <arg name="locked" type="ao" direction="out"/><arg name="prompt" type="o" direction="out"/>
          </method>
          <method name="GetSecrets">
            <arg name="items" type="ao" direction="in"/><arg name="session" type="o" direction="in"/>
            <arg name="secrets" type="a{o(oayays)}" direction="out"/>
          </method>
          <method name="ReadAlias">
            <arg name="name" type="s" direction="in"/><arg name="collection" type="o" direction="out"/>
          </method>
          <method name="SetAlias">
            <arg name="name" type="s" direction="in"/><arg name="collection" type="o" direction="in"/>
          </method>
          <property name="Collections" type="ao" access="read"/>
          <signal name="CollectionCreated"><arg name="collection" type="o"/></signal>
          <signal name="CollectionDeleted"><arg name="collection" type="o"/></signal>
          <signal name="CollectionChanged"><arg name="collection" type="o"/></signal>
        </interface>
        """,
        """
        <interface name="org.freedesktop.Secret.Collection">
          <method name="Delete"><arg name="prompt" type="o" direction="out"/></method>
          <method name="SearchItems">
            <arg name="attributes" type="a{ss}" direction="in"/><arg name="results" type="ao" direction="out"/>
          </method>
          <method name="CreateItem">
            <arg name="properties" type="a{sv}" direction="in"/><arg name="secret" type="(oayays)" direction="in"/>
            <arg name="replace" type="b" direction="in"/>
            <arg name="item" type="o" direction="out"/><arg name="prompt" type="o" direction="out"/>
          </method>
          <property name="Items" type="ao" access="read"/>
          <property name="Label" type="s" access="readwrite"/>
          <property name="Locked" type="b" access="read"/>
          <property name="Created" type="t" access="read"/>
          <property name="Modified" type="t" access="read"/>
          <signal name="ItemCreated"><arg name="item" type="o"/></signal>
          <signal name="ItemDeleted"><arg name="item" type="o"/></signal>
          <signal name="ItemChanged"><arg name="item" type="o"/></signal>
        </interface>
        """,
        """
        <interface name="org.freedesktop.Secret.Item">
          <method name="Delete"><arg name="prompt" type="o" direction="out"/></method>
          <method name="GetSecret">
            <arg name="session" type="o" direction="in"/><arg name="secret" type="(oayays)" direction="out"/>
          </method>
          <method name="SetSecret"><arg name="secret" type="(oayays)" direction="in"/></method>
          <property name="Locked" type="b" access="read"/>
          <property name="Attributes" type="a{ss}" access="readwrite"/>
          <property name="Label" type="s" access="readwrite"/>
          <property name="Type" type="s" access="read"/>
          <property name="Created" type="t" access="read"/>
          <property name="Modified" type="t" access="read"/>
        </interface>
        """,
        """
        <interface name="org.freedesktop.Secret.Session">
          <method name="Close"/>
        </interface>
        """,
        """
        <interface name="org.freedesktop.Secret.Prompt">
          <method name="Prompt"><arg name="window_id" type="s" direction="in"/></method>
          <method name="Dismiss"/>
          <signal name="Completed">
            <arg name="dismissed" type="b"/><arg name="result" type="v"/>
          </signal>
        </interface>
        """,
        // It takes the calls of every object to describe itself.
        """
        <interface name="org.lanyard.Introspection">
          <method name="Introspect"><arg type="s" direction="out"/></method>
        </interface>
        """,
    ]

    /// What GLib answers at every object.
    private static let ofAll = """
        <interface name="org.freedesktop.DBus.Properties">
          <method name="Get">
            <arg type="s" name="interface_name" direction="in"/><arg type="s" name="property_name" direction="in"/>
            <arg type="v" name="value" direction="out"/>
          </method>
          <method name="GetAll">
            <arg type="s" name="interface_name" direction="in"/><arg type="a{sv}" name="properties" direction="out"/>
          </method>
          <method name="Set">
            <arg type="s" name="interface_name" direction="in"/><arg type="s" name="property_name" direction="in"/>
            <arg type="v" name="value" direction="in"/>
          </method>
          <signal name="PropertiesChanged">
            <arg type="s" name="interface_name"/><arg type="a{sv}" name="changed_properties"/>
            <arg type="as" name="invalidated_properties"/>
          </signal>
        </interface>
        <interface name="org.freedesktop.DBus.Introspectable">
          <method name="Introspect"><arg type="s" name="xml_data" direction="out"/></method>
        </interface>
        <interface name="org.freedesktop.DBus.Peer">
          <method name="Ping"/>
          <method name="GetMachineId"><arg type="s" name="machine_uuid" direction="out"/></method>
        </interface>
        """

    /// Describes an object.
    ///
    /// - Parameters:
    ///   - interfaces: Its interfaces, one bit for each.
    ///   - children: The names of the objects directly below it.
    static func description(_ interfaces: UInt32, children: [String]) -> String {
        let own = descriptions.indices.filter {
            interfaces & 1 << UInt32($0) & ~Bit.introspection != 0
        }
        .map { descriptions[$0] }
        let nodes = children.map { "<node name=\"\($0)\"/>" }
        return (["<node>"] + own + [ofAll] + nodes + ["</node>"]).joined(separator: "\n")
    }
}
#endif
