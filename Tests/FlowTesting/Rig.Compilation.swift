package import FlowRuntime
package import SourceDiagnostics

extension Rig {
  /// The flows of a file, and its problems.
  package struct Compilation: Sendable {
    package var flows: [DeclaredFlow]
    package var diagnostics: DiagnosticBag

    /// Code and place of all problems, as `code@line:column`.
    package var locations: [String] {
      diagnostics.diagnostics.map { diagnostic in
        "\(diagnostic.code.rawValue)@" + (diagnostic.range.map { "\($0.start.line):\($0.start.column)" } ?? "-")
      }
    }

    /// The flows, or an error that tells the problems of the file.
    package func accepted() throws -> [DeclaredFlow] {
      let messages = diagnostics.diagnostics.map(\.message)
      guard messages.isEmpty else { throw CompilationError(messages: messages) }
      return flows
    }
  }

  /// The problems of a flow file that a test takes for a good one.
  package struct CompilationError: Error, CustomStringConvertible {
    package var messages: [String]
    package var description: String { messages.joined(separator: "\n") }
  }
}
