# Prints what bash completes: a command and an option. Arguments: the folder `share` of the package, a temporary folder.
# shellcheck shell=bash disable=SC1091
source "$1/bash-completion/completions/reactor"
function=$(complete -p reactor | sed -E 's/.*-F ([^ ]+).*/\1/')
completed() { # words…
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMPREPLY=()
  "$function" reactor "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
  printf '%s\n' "${COMPREPLY[@]}"
}
completed reactor hist
completed reactor run --no-tim
