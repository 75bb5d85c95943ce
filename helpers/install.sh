#!/bin/sh
# Installs the Lanyard in this archive, or uninstalls it.
set -eu
export LC_ALL=C
umask 022

usage() {
    cat <<'TEXT'
usage: install.sh [--prefix DIR] [--uninstall]

Installs Lanyard's programs, man pages and completions in DIR: by default
/usr/local for root, and ~/.local for other users. It replaces an older Lanyard
that it installed there.

  --prefix DIR  install in DIR/bin, DIR/libexec and DIR/share
  --uninstall   remove what was installed in DIR, but no keychains
TEXT
}

say() { printf 'lanyard: %s\n' "$1" >&2; }
hint() { say "hint: $1"; }
fail() {
    say "error: $1"
    [ -z "${2-}" ] || hint "$2"
    exit 1
}

prefix=
uninstall=no
while [ $# -gt 0 ]; do
    case $1 in
    --prefix)
        [ $# -gt 1 ] || fail '--prefix needs a folder'
        prefix=$2
        shift
        ;;
    --prefix=*) prefix=${1#--prefix=} ;;
    --uninstall) uninstall=yes ;;
    --help | -h)
        usage
        exit
        ;;
    *)
        usage >&2
        fail "unknown option '$1'"
        ;;
    esac
    shift
done

if [ -z "$prefix" ]; then
    if [ "$(id -u)" -eq 0 ]; then
        prefix=/usr/local
    else
        prefix=${HOME:?is not set}/.local
    fi
fi
case $prefix in
/*) ;;
*) prefix=$PWD/$prefix ;;
esac
[ "$prefix" = / ] || prefix=${prefix%/}

# The installed paths below the prefix, one a line: files, and new folders (with a `/` at the end).
# (Not in share/lanyard: in ~/.local that is the keychain's folder.)
list=libexec/lanyard/installed

temporary=
trap '[ -z "$temporary" ] || rm -f "$temporary"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# A manipulated list must not lead to files elsewhere.
checked() {
    case /$1/ in
    //* | */../* | */./*) fail "'$prefix/$list' is damaged" ;;
    esac
}

remove_files() {
    while IFS= read -r path; do
        checked "$path"
        case $path in
        */) ;;
        *) rm -f "$prefix/$path" || fail "can't remove '$prefix/$path'" ;;
        esac
    done
}

# Innermost folders first. Folders with other files remain.
remove_folders() {
    grep '/$' | sort -r | while IFS= read -r path; do
        checked "$path"
        rmdir "$prefix/$path" 2>/dev/null || :
    done
}

if [ "$uninstall" = yes ]; then
    [ -f "$prefix/$list" ] ||
        fail "nothing to uninstall in '$prefix'" 'name the folder with --prefix'
    [ -w "$prefix/bin" ] || fail "can't write to '$prefix'" 'run install.sh as the user who installed Lanyard'
    # Nothing else can undo it afterwards: git would look for a missing helper.
    if "$prefix/bin/lanyard" setup --undo --dry-run </dev/null >/dev/null 2>&1; then
        fail 'tools still use Lanyard: nothing was removed' \
            "$prefix/bin/lanyard setup --undo, then uninstall again"
    fi
    installed=$(cat "$prefix/$list")
    printf '%s\n' "$installed" | remove_files
    rm -f "$prefix/$list"
    printf '%s\n' "$installed" | remove_folders
    say "removed from '$prefix'; your keychains stay"
    hint 'other users may still have git use it: git config --global --get-all credential.helper'
    exit
fi

here=$(cd "$(dirname "$0")" && pwd -P)
whole() { (cd "$here" && sha256sum -c SHA256SUMS) >/dev/null 2>&1; }
whole || fail 'the archive is incomplete or damaged' 'unpack it again'
version=$("$here/bin/lanyard" --version 2>/dev/null) ||
    fail "'$here/bin/lanyard' does not run here, on $(uname -s) $(uname -m)" \
        'look for an archive for this machine'
files=$(sed 's/^[0-9a-f]*  //' "$here/SHA256SUMS")
links=$(cd "$here" && find bin libexec -type l)

old=
[ ! -f "$prefix/$list" ] || old=$(cat "$prefix/$list")
made=

# make_folder PATH: creates it with its parents, and records the new ones.
make_folder() {
    [ ! -d "$prefix/$1" ] || return 0
    case $1 in
    */*) make_folder "${1%/*}" ;;
    esac
    mkdir "$prefix/$1" || fail "can't create '$prefix/$1'" 'choose another folder with --prefix'
    made="$made$1/
"
}

# Units of systemd name the programs' paths: there a backslash escapes, and `%` means something.
content() {
    case $1 in
    share/systemd/*)
        escaped=$(printf '%s' "$prefix" | sed 's/[\\"'\'']/\\&/g; s/%/%%/g; s/ /\\x20/g; s/[\\&|]/\\&/g')
        sed "s|@PREFIX@|$escaped|" "$here/$1"
        ;;
    *) cat "$here/$1" ;;
    esac
}

# Writes next to the target and renames: a running program keeps its file, and tools start either the old
# or the new one.
place() {
    make_folder "${1%/*}"
    temporary=$prefix/${1%/*}/.lanyard-install.$$
    if ! { content "$1" >"$temporary" && chmod "$2" "$temporary" &&
        mv -f "$temporary" "$prefix/$1"; }; then
        fail "can't write '$prefix/$1'" 'choose another folder with --prefix'
    fi
    temporary=
}

mkdir -p "$prefix" || fail "can't create '$prefix'" 'choose another folder with --prefix'
for path in $files; do # no name in the archive has a space
    case $path in
    lib/* | share/*) place "$path" 644 ;;
    *) place "$path" 755 ;;
    esac
done
# place_link PATH TARGET
place_link() {
    make_folder "${1%/*}"
    temporary=$prefix/${1%/*}/.lanyard-install.$$
    if ! { ln -sfn "$2" "$temporary" && mv -f "$temporary" "$prefix/$1"; }; then
        fail "can't write '$prefix/$1'" 'choose another folder with --prefix'
    fi
    temporary=
}

for link in $links; do
    place_link "$link" "$(readlink "$here/$link")"
done
files="$files
$links"
make_folder "${list%/*}"
temporary=$prefix/$list.$$
printf '%s\n%s\n%s' "$files" "$(printf '%s\n' "$old" | grep '/$' || :)" "$made" |
    grep . | sort -u >"$temporary"
mv -f "$temporary" "$prefix/$list"
temporary=
# Files of the previous Lanyard that this one lacks.
printf '%s\n' "$old" | grep -vxF "$files" | grep . | remove_files

[ "$("$prefix/bin/lanyard" --version 2>/dev/null)" = "$version" ] ||
    fail "'$prefix/bin/lanyard' does not run" 'is the file system mounted with noexec?'
say "installed $version in '$prefix'"
found=$(command -v lanyard || :)
case :$PATH: in
*":$prefix/bin:"*)
    [ "$found" = "$prefix/bin/lanyard" ] || hint "'$found' comes first on the PATH: remove it"
    ;;
*) hint "'$prefix/bin' is not on the PATH; add to ~/.profile: PATH=\"$prefix/bin:\$PATH\"" ;;
esac
hint 'next: lanyard setup'
