/// A number for arithmetic.
enum Numeric {
  case int(Int64)
  case double(Double)

  var double: Double {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    }
  }
}
