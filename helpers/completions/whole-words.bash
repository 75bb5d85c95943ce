
# What is above takes a word for what bash does, for which a colon, a sign of equality and an at-sign
# end one; a URL is one word. It also has bash expand what it offers, which may be names from outside.

# Offers what begins with the current word, as it is; of files, what bash finds.
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
        # What no blank stands between is one word.
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
    # What it sets it leaves behind.
    trap - RETURN
    eval "${returning}"

    # Bash puts what is offered in the place of what it takes for the word.
    local -r before=${typed%"${2}"}
    COMPREPLY=("${COMPREPLY[@]#"${before}"}")
}

complete -F _lanyard_whole_words lanyard
