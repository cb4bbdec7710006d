/// A function that programs may call: its name, its definition and its documentation.
package struct Builtin: Sendable {
  /// The signature `name(first; second)`, with parameters as in a `def`.
  package let signature: String
  /// The definition as a program; nil for a ``Native`` of the same name and for a part of the language.
  let definition: String?
  package let summary: String
  /// A program with an input and its results in JSON. jq has the same results unless the built-in is new.
  package let example: (program: String, input: String, results: [String])?
  /// Whether jq 1.6 does not have the built-in.
  package let isNew: Bool

  init(
    _ signature: String, _ definition: String? = nil, _ summary: String = "",
    _ example: (program: String, input: String, results: [String])? = nil, isNew: Bool = false
  ) {
    self.signature = signature
    self.definition = definition
    self.summary = summary
    self.example = example
    self.isNew = isNew
  }

  var name: String { String(signature.prefix { $0 != "(" }) }

  var count: Int { signature.contains("(") ? signature.filter { $0 == ";" }.count + 1 : 0 }

  /// Whether the built-in is only used by other built-ins.
  package var isInner: Bool { signature.hasPrefix("_") }

  /// All built-ins, in any order: ``Prelude`` registers the names before it parses definitions.
  package static let all: [Builtin] = values + lists + streams + texts + times

  /// Functions of jq that this subset does not have, with the reason.
  static let refused: [String: String] = {
    let world = "a program sees its input only, never files, environment, clock or further inputs"
    var reasons: [String: String] = [:]
    for name in [
      "env", "input", "inputs", "now", "input_filename", "input_line_number", "debug", "stderr", "halt", "halt_error",
      "localtime", "strflocaltime", "get_search_list", "modulemeta", "builtins", "getpath_safe",
    ] { reasons[name] = world }
    for name in ["fromstream", "truncate_stream", "limit_depth", "ascii", "SQL", "GROUP_BY", "UNIQUE_BY"] {
      reasons[name] = "write it with 'reduce' or 'foreach'"
    }
    return reasons
  }()
}
