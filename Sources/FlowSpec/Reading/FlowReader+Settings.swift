import FlowModel
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads a value that may contain templates of variables, secrets excepted.
  mutating func setting<Value>(
    _ value: FieldValue, _ parse: (String) throws(SettingError) -> Value
  ) -> Setting<Value>? {
    guard let text = scalar(value) else { return nil }
    guard !TemplateScanner.hasTemplate(text) else {
      return lineTemplate(value.inScope(value.scope.with([]))).map { .template($0) }
    }
    do throws(SettingError) {
      return .value(Located(try parse(text), at: value.node.range))
    } catch {
      return fail(error.code, error.message, at: value.node.range, suggestion: error.suggestion, help: error.help)
    }
  }
}
