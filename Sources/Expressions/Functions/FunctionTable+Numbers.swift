internal import JSONSyntax

extension FunctionTable {
  static let numbers: [Function] = [
    Function(
      name: "int",
      signatures: [
        Signature([.init("number", .number)], .int), Signature([.init("text", .string)], .int),
        Signature([.init("timestamp", .timestamp)], .int), Signature([.init("duration", .duration)], .int),
      ],
      summary: """
        The value as an integer: a number or decimal text without fraction, the whole seconds since 1970 of a \
        timestamp, or the whole seconds of a duration. A conversion that would lose something is an error; `round`, \
        `truncate`, `floor` and `ceil` remove a fraction.
        """,
      examples: [
        .init("int('42')", "42"), .init("int(4.0)", "4"), .init("int(4.5)", "error: conversion"),
        .init("int('4.5')", "error: conversion"), .init("int(timestamp('1970-01-02'))", "86400"),
        .init("int(duration('5m'))", "300"),
      ],
      otherNames: ["integer", "toInt", "parseInt"]
    ) { arguments, _ throws(EvaluationError) in try NumberWork.int(arguments) },
    Function(
      name: "float",
      signatures: [
        Signature([.init("number", .number)], .double), Signature([.init("text", .string)], .double),
        Signature([.init("duration", .duration)], .double),
      ],
      summary: """
        The value as a double: a number, a text that is a number in JSON's grammar, or the seconds of a duration with \
        their fraction.
        """,
      examples: [
        .init("float('1.5e3')", "1500.0"), .init("float(2)", "2.0"), .init("float('1,5')", "error: conversion"),
        .init("float(duration('1m250ms'))", "60.25"),
      ],
      otherNames: ["double", "number", "toFloat", "parseFloat"]
    ) { arguments, _ throws(EvaluationError) in try NumberWork.float(arguments) },
    Function(
      name: "string",
      signatures: [Signature([.init("value", .anything)], .string)],
      summary: "The text of a string, number (as written), bool, timestamp or duration (both ISO 8601).",
      examples: [
        .init("string(1.10)", #""1.10""#), .init("string(true)", #""true""#),
        .init("string(duration('90s'))", #""PT1M30S""#),
        .init("string([1])", "error: no-text"),
      ],
      otherNames: ["str", "text", "toString", "tostring"]
    ) { arguments, evaluation throws(EvaluationError) in
      let text = try arguments[0].text()
      try evaluation.spend(bytes: text.utf8.count)
      return .string(text)
    },
    Function(
      name: "bool",
      signatures: [Signature([.init("text", .string)], .bool), Signature([.init("bool", .bool)], .bool)],
      summary: "The bool of the text `true` or `false`; any other text is an error.",
      examples: [.init("bool('true')", "true"), .init("bool('yes')", "error: conversion")],
      otherNames: ["boolean", "toBool"]
    ) { arguments, _ throws(EvaluationError) in
      switch arguments[0] {
      case .bool(let value): return .bool(value)
      case .string("true"): return .bool(true)
      case .string("false"): return .bool(false)
      case .string(let text):
        throw EvaluationError(.conversion, "the text is neither 'true' nor 'false'", value: excerpt(text))
      default: throw arguments.wrongType(0, "a string")
      }
    },
    Function(
      name: "round",
      signatures: [
        Signature([.init("number", .number)], .int),
        Signature([.init("number", .int), .init("digits", .int), .init("half", .string, .optional)], .int),
        Signature([.init("number", .double), .init("digits", .int), .init("half", .string, .optional)], .double),
      ],
      summary: """
        The nearest integer, or the nearest double with at most this number of digits after the point (0 to 15). A \
        half is rounded away from zero, or with `even` to the even digit, as in accounting. An integer is unchanged.
        """,
      examples: [
        .init("round(2.5)", "3"), .init("round(-2.5)", "-3"), .init("round(1 / 3.0, 2)", "0.33"),
        .init("round(0.125, 2)", "0.13"), .init("round(0.125, 2, 'even')", "0.12"), .init("round(5, 2)", "5"),
        .init("round(1.5, 16)", "error: bad-argument"),
      ]
    ) { arguments, _ throws(EvaluationError) in
      guard arguments.count > 1 else { return try whole(arguments) { $0.rounded(.toNearestOrAwayFromZero) } }
      return try Rounding.round(arguments)
    },
    Function(
      name: "power",
      signatures: [
        Signature([.init("base", .int), .init("exponent", .int)], .int),
        Signature([.init("base", .double), .init("exponent", .int)], .double),
      ],
      summary: "The base to the power of the exponent; a negative exponent needs a double as base.",
      examples: [
        .init("power(10, 2)", "100"), .init("power(10.0, -2)", "0.01"), .init("power(0.5, 0)", "1.0"),
        .init("power(2, 63)", "error: overflow"),
        .init("power(2, -1)", "error: bad-argument"),
      ],
      otherNames: ["pow"]
    ) { arguments, evaluation throws(EvaluationError) in
      let exponent = try arguments.int(1)
      guard exponent.magnitude <= 2000 else { throw EvaluationError(.overflow, "the exponent is too large") }
      switch try arguments.number(0) {
      case .int(let base):
        guard exponent >= 0 else {
          throw EvaluationError(.badArgument, "a negative exponent needs a double as base: write float(…)")
        }
        return try evaluation.power(.int(base), exponent, of: .int(1))
      case .double(let base):
        let power = try evaluation.power(.double(base), abs(exponent), of: .double(1))
        return exponent >= 0 ? power : try evaluation.arithmetic(.divide, .double(1), power)
      }
    },
    Function(
      name: "fixed",
      signatures: [Signature([.init("number", .number), .init("digits", .int)], .string)],
      summary: """
        The number as a text with exactly this number of digits after the point (0 to 15). A half is rounded to the \
        even digit; the binary value of the double decides what is a half.
        """,
      examples: [
        .init("fixed(2.5, 2)", #""2.50""#), .init("fixed(0.125, 2)", #""0.12""#), .init("fixed(-3, 1)", #""-3.0""#),
        .init("fixed(1.5, 0)", #""2""#), .init("fixed(1e300, 1)", "error: overflow"),
      ],
      otherNames: ["to_fixed", "toFixed", "format_number"]
    ) { arguments, _ throws(EvaluationError) in try Rounding.fixed(arguments) },
    rounding(
      "floor", "The greatest integer that is not above the number.", [("floor(7 / 2.0)", "3"), ("floor(-0.5)", "-1")]
    ) {
      $0.rounded(.down)
    },
    rounding(
      "ceil", "The smallest integer that is not below the number.",
      [("ceil(10 / 4.0)", "3"), ("ceil(1e300)", "error: overflow")]
    ) {
      $0.rounded(.up)
    },
  ]

  private static func rounding(
    _ name: String, _ summary: String, _ examples: [(String, String)], _ round: @escaping @Sendable (Double) -> Double
  ) -> Function {
    Function(
      name: name, signatures: [Signature([.init("number", .number)], .int)], summary: summary,
      examples: examples.map { Function.Example($0.0, $0.1) }
    ) { arguments, _ throws(EvaluationError) in try whole(arguments, round) }
  }

  /// A number as an integer, after a double has been rounded to one.
  static func whole(
    _ arguments: Arguments, _ round: (Double) -> Double
  ) throws(EvaluationError) -> ExpressionValue {
    switch try arguments.number(0) {
    case .int(let value): return .int(value)
    case .double(let value):
      guard let result = Int64(exactly: round(value)) else {
        throw EvaluationError(.overflow, "the result is beyond 64 bits")
      }
      return .int(result)
    }
  }

  /// The beginning of a text, for an error.
  static func excerpt(_ text: String) -> String {
    text.unicodeScalars.count <= 60 ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(60))) + "…"
  }
}

extension Evaluation {
  /// The base to the power of an exponent that is at least 0, by repeated multiplication.
  fileprivate mutating func power(
    _ base: ExpressionValue, _ exponent: Int64, of one: ExpressionValue
  ) throws(EvaluationError) -> ExpressionValue {
    var result = one
    for _ in 0..<exponent {
      try spend(steps: 1)
      result = try arithmetic(.times, result, base)
    }
    return result
  }
}
