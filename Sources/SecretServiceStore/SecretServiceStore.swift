#if SecretService
internal import CLibsecret
internal import Keychain

let timeLimit: Int64 = 5000
#endif
