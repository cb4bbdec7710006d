/// A word or symbol of an expression, with its range in UTF-8 bytes.
struct Token: Hashable {
  enum Kind: Hashable {
    case name(String)
    /// A whole number without a sign.
    case int(UInt64)
    /// A number with a decimal point or exponent, in JSON's grammar.
    case double(String)
    case string(String)
    case sign(String)
    case end
  }

  var kind: Kind
  var range: Range<Int>
}
