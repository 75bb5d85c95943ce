import Keychains
import KeychainServices
import Tools

let name = "lanyard-helper"
let help = """
    usage: \(name) --names
           \(name) --help|--version

    The helpers of most tools, one program under several names. --names lists them.

    examples:
      /usr/libexec/lanyard/\(name) --names
    """

runToolHelper(among: ToolFormat.all, name: name, help: help)
