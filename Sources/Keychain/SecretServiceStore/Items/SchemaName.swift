package import KeychainServices

/// The attribute for the name of an item's schema, and the possible names.
package enum SchemaName {
    package static let key: ByteString = "xdg:schema"
    /// git-credential-libsecret writes it from git 2.41 on, and no longer searches for a name.
    package static let git: ByteString = "org.git.Password"
    /// It searches for and writes this one before that.
    package static let network: ByteString = "org.gnome.keyring.NetworkPassword"
    package static let docker: ByteString = "io.docker.Credentials"
    package static let generic: ByteString = "org.freedesktop.Secret.Generic"
    package static let lanyard: ByteString = "lanyard.Item"
    package static let all = [git, network, docker, generic, lanyard]
}
