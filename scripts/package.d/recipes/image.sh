# In the folder with the package.
buildah build -t reactor .
container=$(buildah from reactor)
buildah run -v "$PROJECT:/work" "$container" -- reactor run
