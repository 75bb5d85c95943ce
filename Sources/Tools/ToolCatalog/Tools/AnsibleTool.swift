package import KeychainServices
internal import ToolHelpers

/// ansible, which asks for the passwords of its vaults. The setup has code of its own: one line lists all vaults.
package enum AnsibleTool: CatalogTool {
    package static let name = "ansible"
    package static let format: ToolFormat? = .ansible
    package static let settings: ToolSettings? = ToolSettings(
        "ansible",
        argument: .init("vault ID", help: "The IDs of the vaults.", example: "dev"),
        notes: [
            SettingsNote(
                "ansible reads one file: ansible.cfg here, else ~/.ansible.cfg, else /etc/ansible/ansible.cfg",
                if: .unset("ANSIBLE_CONFIG"))
        ])
    package static let moves = [FileMove(".ansible.cfg", variables: ["ANSIBLE_CONFIG"])]
    package static let sources = ["https://docs.ansible.com/ansible/latest/vault_guide/"]
}
