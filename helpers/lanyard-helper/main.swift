import Keychains
import KeychainServices
import Tools

let name = "lanyard-helper"
let help = """
    usage: \(name) --names
           \(name) --help|--version

    The helpers of most tools, one program under several names. --names lists them.

    examples:
      for name in $(\(name) --names); do ln -s "$(command -v \(name))" ~/.local/bin/$name; done
    """

runToolHelper(among: ToolFormat.all, name: name, help: help)
