/// The built-ins that are programs, parsed once for all.
struct Prelude: Sendable {
  var program = Program()
  /// Functions by `name/count`.
  var functions: [String: Int32] = [:]

  static let shared: Prelude = {
    var prelude = Prelude()
    let definitions = Builtin.all.compactMap { builtin in builtin.definition.map { (builtin, $0) } }
    // All are known before any is read, so that the table may have any order.
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
        // The table's own tests call every built-in, so that this cannot stay unseen.
        assertionFailure("\(builtin.signature): \(error)")
      }
    }
    return prelude
  }()
}
