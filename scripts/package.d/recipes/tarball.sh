mkdir -p ~/.local
tar -xzf reactor-*-linux-*.tar.gz -C ~/.local --strip-components=1
export PATH="$HOME/.local/bin:$PATH"
reactor version
