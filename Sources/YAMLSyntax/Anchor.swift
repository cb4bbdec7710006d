/// A name given to a node.
struct Anchor {
  /// The name with its `&`, in bytes of the file.
  let offsets: Range<Int>
  /// The node; nil while it is still open, when an alias to it would make it contain itself.
  var target: BuiltNode?
}
