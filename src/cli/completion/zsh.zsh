#compdef countersink
# SPDX-License-Identifier: Apache-2.0
# zsh completion of countersink. The command itself says what a word may become.
local reply word
local -a found whole open

found=("${(@f)$(_call_program countersink ${(q)words[1]} help --complete -- \
    "${(@q)words[2,CURRENT-1]}" ${(q)PREFIX:-''} 2> /dev/null)}")
for reply in $found; do
    word=${${reply%%$'\t'*}//:/\\:}
    case $reply in
        (:files) [[ $PREFIX == --*=* ]] && compset -P '*='; _files; return ;;
        (:folders) [[ $PREFIX == --*=* ]] && compset -P '*='; _files -/; return ;;
        (:yaml) [[ $PREFIX == --*=* ]] && compset -P '*='; _files -g '*.yaml(-.)'; return ;;
        (*=$'\t'*) open+=("$word:${reply#*$'\t'}") ;;
        (*) whole+=("$word:${reply#*$'\t'}") ;;
    esac
done
(( $#whole )) && _describe -t words countersink whole
(( $#open )) && _describe -t keys key open -S ''
