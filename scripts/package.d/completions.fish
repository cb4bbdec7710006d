# Prints what fish completes: a command and an option. Arguments: the folder `share` of the package, a temporary folder.
source $argv[1]/fish/vendor_completions.d/reactor.fish
complete -C "reactor hist"
complete -C "reactor run --no-tim"
