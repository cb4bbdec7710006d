/// A word or sign of an expression with its UTF-8 bytes.
struct Token: Hashable {
  enum Kind: Hashable {
    case name(String)
    /// A whole number without its sign.
    case int(UInt64)
    /// A number with point or exponent, in JSON's grammar.
    case double(String)
    case string(String)
    case sign(String)
    case end
  }

  var kind: Kind
  var range: Range<Int>
}
