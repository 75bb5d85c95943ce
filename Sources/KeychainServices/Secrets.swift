// Whoever has items has secrets: one import is enough for both.
@_exported public import Secrets
