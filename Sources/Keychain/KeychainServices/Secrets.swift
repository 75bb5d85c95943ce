// Code that uses items also uses secrets: one import covers both.
@_exported public import LanyardSecrets
