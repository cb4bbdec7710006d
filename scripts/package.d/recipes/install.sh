# In the folder with the package, as root.
sha256sum --check SHA256SUMS
apt-get install -y ./reactor_*.deb
reactor version
