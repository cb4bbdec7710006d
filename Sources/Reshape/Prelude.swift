/// The built-ins that are defined as programs; parsed once per process.
struct Prelude: Sendable {
  var program = Program()
  /// The functions, by `name/count`.
  var functions: [String: Int32] = [:]

  static let shared: Prelude = {
    var prelude = Prelude()
    let definitions = Builtin.all.compactMap { builtin in builtin.definition.map { (builtin, $0) } }
    // All names are registered before the first definition is parsed, so that the table may have any order.
    for (builtin, _) in definitions {
      prelude.functions["\(builtin.name)/\(builtin.count)"] = Int32(prelude.program.functions.count)
      prelude.program.functions.append(Program.Function(parameterCount: builtin.count))
    }
    for (position, (builtin, text)) in definitions.enumerated() {
      var parser = Parser("def \(builtin.signature): \(text);", prelude: prelude)
      do throws(ReshapeError) {
        try parser.advance()
        let index = parser.program.functions.count
        try parser.definition()
        parser.program.functions[position].body = parser.program.functions[index].body
        prelude.program = parser.program
      } catch {
        // The tests call every built-in of the table, so they would show this error.
        assertionFailure("\(builtin.signature): \(error)")
      }
    }
    return prelude
  }()
}
