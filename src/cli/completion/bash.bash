# SPDX-License-Identifier: Apache-2.0
# bash completion of countersink. The command itself says what a word may become.
_countersink() {
    local line=${COMP_LINE:0:COMP_POINT} program=${COMP_WORDS[0]/#\~/$HOME}
    local -a words found
    local current value stop reply

    read -ra words <<< "$line"
    if [[ $line == *[[:space:]] ]]; then
        words+=("")
    fi
    current=${words[${#words[@]} - 1]}
    value=$current
    if [[ $current == --*=* ]]; then
        value=${current#*=}
    fi
    # Readline replaces what stands behind the last of its word breaks.
    stop=""
    if [[ $COMP_WORDBREAKS == *=* && $current == *=* ]]; then
        stop=${current%"${current##*=}"}
    fi
    COMPREPLY=()
    mapfile -t found < <("$program" help --complete -- "${words[@]:1}" 2> /dev/null)
    for reply in "${found[@]}"; do
        case $reply in
            :files) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$value") ;;
            :folders) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$value") ;;
            :yaml)
                mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(
                    compgen -d -- "$value"
                    compgen -f -X '!*.yaml' -- "$value"
                )
                ;;
            *)
                reply=${reply%%$'\t'*}
                COMPREPLY+=("${reply#"$stop"}")
                ;;
        esac
        if [[ $reply == :* ]]; then
            compopt -o filenames 2> /dev/null
        elif [[ $reply == *= ]]; then
            compopt -o nospace 2> /dev/null
        fi
    done
}
complete -F _countersink countersink
