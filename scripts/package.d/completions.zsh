# Prints what zsh completes: a command and an option. Arguments: the folder `share` of the package, a temporary folder.
# The shell has a terminal of its own, because completion is a part of its line editor.
zmodload zsh/zpty
zpty -b shell "ZDOTDIR=$2 TERM=dumb zsh -f -i"
zpty -w shell "fpath=($1/zsh/vendor-completions \$fpath); autoload -Uz compinit; compinit -u -d $2/zcompdump; PS1='> '; echo rea''dy"
read_until() { # pattern
  local piece all="" count
  for ((count = 0; count < 100; count++)); do
    while zpty -rt shell piece; do all+=$piece; done
    [[ $all == *$~1* ]] && break
    sleep 0.1
  done
  print -r -- $all
}
read_until ready
zpty -nw shell $'reactor hist\t'
read_until history
zpty -nw shell $'\C-ureactor run --no-tim\t'
read_until --no-timing
zpty -d shell
