internal import ByteCodings
internal import JSONSyntax

extension FunctionTable {
  static let codings: [Function] = [
    Function(
      name: "json",
      signatures: [Signature([.init("text", .string)], .type(.dynamic))],
      summary: "The value that a JSON text contains; its numbers keep their digits.",
      examples: [.init(#"json('{"a": [1, 2.50]}').a[1]"#, "2.50"), .init("json('{')", "error: conversion")],
      otherNames: ["fromjson", "parse_json", "from_json", "json_parse"]
    ) { arguments, evaluation throws(EvaluationError) in
      let text = try arguments.string(0)
      try evaluation.spend(steps: 1 + text.utf8.count / 16)
      try evaluation.spend(bytes: text.utf8.count)
      do throws(JSONError) {
        return ExpressionValue(try JSONValue(parsing: text))
      } catch {
        throw EvaluationError(.conversion, "the text is not JSON: \(error.message) at byte \(error.offset)")
      }
    },
    Function(
      name: "to_json",
      signatures: [Signature([.init("value", .optional(.anything))], .string)],
      summary: "The JSON text of a value, without white space.",
      examples: [.init("to_json({'a': [1, null]})", #""{\"a\":[1,null]}""#), .init("to_json('x')", #""\"x\"""#)],
      otherNames: ["tojson", "json_encode", "dumps"]
    ) { arguments, evaluation throws(EvaluationError) in
      try evaluation.spend(bytes: arguments[0].size(atMost: evaluation.budget.memory))
      let bytes = JSONWriter.bytes(arguments[0].json)
      try evaluation.spend(steps: bytes.count / 64)
      try evaluation.spend(bytes: bytes.count)
      return .string(String(decoding: bytes, as: UTF8.self))
    },
    Function(
      name: "base64_encode",
      signatures: [Signature([.init("text", .string)], .string)],
      summary: "The base64 (RFC 4648) of a text's UTF-8, with padding.",
      examples: [.init("base64_encode('user:pass')", #""dXNlcjpwYXNz""#), .init("base64_encode('é')", #""w6k=""#)],
      otherNames: ["base64", "b64encode", "base64encode"]
    ) { arguments, evaluation throws(EvaluationError) in
      let text = try arguments.string(0)
      try evaluation.spend(reading: text)
      try evaluation.spend(bytes: text.utf8.count / 3 * 4 + 4)
      return .string(Base64.encode(Array(text.utf8)))
    },
    Function(
      name: "base64_decode",
      signatures: [Signature([.init("text", .string)], .string)],
      summary: "The text whose UTF-8 is in base64, in the usual or the URL alphabet, with or without padding.",
      examples: [
        .init("base64_decode('dXNlcjpwYXNz')", #""user:pass""#), .init("base64_decode('w6k')", #""é""#),
        .init("base64_decode('/w==')", "error: conversion"),
      ],
      otherNames: ["b64decode", "base64decode"]
    ) { arguments, evaluation throws(EvaluationError) in
      let text = try arguments.string(0)
      try evaluation.spend(reading: text)
      try evaluation.spend(bytes: text.utf8.count)
      guard let bytes = Base64.decode(Array(text.utf8), allowing: .urlSafe) else {
        throw EvaluationError(.conversion, "the text is not base64")
      }
      return try utf8(bytes)
    },
    Function(
      name: "url_encode",
      signatures: [Signature([.init("text", .string)], .string)],
      summary: """
        The text with every byte except ASCII letters, digits, `-`, `.`, `_` and `~` percent-encoded (RFC 3986). \
        Paths and queries are encoded automatically; this is for a URL inside a value.
        """,
      examples: [.init("url_encode('a b/ü')", #""a%20b%2F%C3%BC""#)],
      otherNames: ["urlencode", "quote", "encodeURIComponent"]
    ) { arguments, evaluation throws(EvaluationError) in
      let text = try arguments.string(0)
      try evaluation.spend(reading: text)
      try evaluation.spend(bytes: 3 * text.utf8.count)
      return .string(PercentCoding.encode(text))
    },
    Function(
      name: "url_decode",
      signatures: [Signature([.init("text", .string)], .string)],
      summary: "The text with its percent-encoding undone; `+` stays as it is.",
      examples: [.init("url_decode('a%20b%2f+')", #""a b/+""#), .init("url_decode('%zz')", "error: conversion")],
      otherNames: ["urldecode", "unquote", "decodeURIComponent"]
    ) { arguments, evaluation throws(EvaluationError) in
      let text = try arguments.string(0)
      try evaluation.spend(reading: text)
      try evaluation.spend(bytes: text.utf8.count)
      let bytes = Array(text.utf8)[...]
      guard PercentCoding.isWellFormed(bytes) else {
        throw EvaluationError(.conversion, "a '%' is not followed by two hexadecimal digits")
      }
      return try utf8(PercentCoding.decode(bytes))
    },
  ]

  private static func utf8(_ bytes: [UInt8]) throws(EvaluationError) -> ExpressionValue {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw EvaluationError(.conversion, "the bytes are not UTF-8")
    }
    return .string(text)
  }
}
