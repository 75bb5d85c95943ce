Name: Unlock the keychain of Lanyard at login
Default: no
Priority: 0
Auth-Type: Additional
Auth:
	[success=ignore default=1]	pam_unix.so use_first_pass nodelay
	optional	pam_exec.so expose_authtok quiet /usr/libexec/lanyard/lanyard-pam
Session-Type: Additional
Session-Interactive-Only: yes
Session:
	optional	pam_exec.so quiet /usr/libexec/lanyard/lanyard-pam
