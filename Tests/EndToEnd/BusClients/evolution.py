"""Evolution's passwords, stored and read by its own library: evolution.py."""
import gi

gi.require_version("EDataServer", "1.2")
from gi.repository import EDataServer  # noqa: E402

ACCOUNT = "b1f7c0de-mail"

assert EDataServer.secret_store_lookup_sync(ACCOUNT, None) == (True, None)
assert EDataServer.secret_store_store_sync(ACCOUNT, "first", "Evolution Data Source 'Mail'", True, None)
assert EDataServer.secret_store_store_sync(ACCOUNT, "second", "Evolution Data Source 'Mail'", True, None)
assert EDataServer.secret_store_lookup_sync(ACCOUNT, None) == (True, "second")
# Not permanently: in the collection `session`.
assert EDataServer.secret_store_store_sync("other", "passing", "Evolution Data Source 'Other'", False, None)
assert EDataServer.secret_store_lookup_sync("other", None) == (True, "passing")
assert EDataServer.secret_store_delete_sync("other", None)
