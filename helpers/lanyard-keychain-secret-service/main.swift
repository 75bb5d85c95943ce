import Keychain
import KeychainPlugin
import LinuxSystem
import SecretServiceStore

try hardenProcess()
