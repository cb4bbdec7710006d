internal import JSONSyntax
internal import SourceDiagnostics

extension Parser {
  /// Resolves a call of a parameter, a function of the program or a built-in.
  mutating func call(_ name: String, _ arguments: [Ref], at offset: Int) throws(ReshapeError) -> Ref {
    if let callee = scope.callee(name, arguments.count) {
      guard let function = callee.function else { return program.add(.parameter(callee.up)) }
      return program.add(.call(function: function, arguments: program.list(arguments), up: callee.up))
    }
    if let function = known["\(name)/\(arguments.count)"] {
      return program.add(.call(function: function, arguments: program.list(arguments), up: -1))
    }
    switch (name, arguments.count) {
    case ("path", 1): return program.add(.path(arguments[0]))
    case ("_limit", 2): return program.add(.limit(arguments[0], arguments[1]))
    default: break
    }
    if let native = Native(name, arguments.count) {
      return program.add(.native(native, arguments: program.list(arguments)))
    }
    throw unknownFunction(name, arguments.count, at: offset)
  }

  private func unknownFunction(_ name: String, _ count: Int, at offset: Int) -> ReshapeError {
    let callees = scope.callees + Builtin.all.map { ($0.name, $0.count) }
    let counts = Set(callees.filter { $0.name == name }.map(\.count)).sorted()
    if !counts.isEmpty {
      let list = counts.map(String.init).joined(separator: " or ")
      return ReshapeError(
        "'\(name)' does not take \(count) argument\(count == 1 ? "" : "s")", at: offset, help: "it takes \(list)")
    }
    if let reason = Builtin.refused[name] {
      return ReshapeError("'\(name)' is not supported", at: offset, help: reason)
    }
    let near = NearMiss.suggestion(for: name, in: callees.map(\.name))
    return ReshapeError("unknown function '\(name)'", at: offset, help: near.map { "did you mean '\($0)'?" })
  }

  func unknownVariable(_ name: String) -> ReshapeError {
    if name == "ENV" || name == "__loc__" || name == "__prog_args" {
      return ReshapeError(
        "'$\(name)' is not supported", at: token.offset, help: "a program sees its input only")
    }
    let near = NearMiss.suggestion(for: name, in: scope.names(.value))
    return ReshapeError("unknown variable '$\(name)'", at: token.offset, help: near.map { "did you mean '$\($0)'?" })
  }
}
