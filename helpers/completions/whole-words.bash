
# The script above uses bash's words, which end at a colon, an equals sign and an at sign; a URL is one
# word. It also lets bash expand its offers, which may be untrusted names.

# Offers verbatim what starts with the current word; for files, bash's own matches.
__lanyard_add_completions() {
    local completion
    if [[ ${1} != -W ]]; then
        compopt -o filenames
        while IFS='' read -r completion; do
            COMPREPLY+=("${completion}")
        done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
        return
    fi
    while IFS='' read -r completion; do
        [[ -n ${completion} && ${completion} == "${cur}"* ]] && COMPREPLY+=("${completion// /\\ }")
    done < <(printf '%s\n' "${2}")
}

_lanyard_whole_words() {
    local line=${COMP_LINE:0:COMP_POINT}
    local -a words=()
    local -i index
    for ((index = 0; index <= COMP_CWORD; index++)); do
        # Text without spaces is one word.
        if ((index == 0)) || [[ ${line} == [[:blank:]]* ]]; then
            line=${line#"${line%%[![:blank:]]*}"}
            words+=('')
        fi
        if ((index == COMP_CWORD)); then
            words[-1]+=${line}
        else
            words[-1]+=${COMP_WORDS[index]}
            line=${line#"${COMP_WORDS[index]}"}
        fi
    done

    local -r typed=${words[-1]}
    local -a COMP_WORDS=("${words[@]}")
    local -i COMP_CWORD=$((${#words[@]} - 1))
    local returning
    returning=$(trap -p RETURN)
    _lanyard "${1}" "${typed//\\ / }" "${words[-2]-}"
    # _lanyard leaves its trap behind.
    trap - RETURN
    eval "${returning}"

    # bash replaces only what it takes for the word.
    local -r before=${typed%"${2}"}
    COMPREPLY=("${COMPREPLY[@]#"${before}"}")
}

complete -F _lanyard_whole_words lanyard
