import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reports paths of `pages` that lead into the records. The response is kept without them, so such a path finds
  /// nothing, and with `missing: end` the pull would end after its first page.
  mutating func checkPagePaths(_ flow: FieldNodes, _ records: JSONPath?) {
    guard case .mapping(let mapping)? = flow.value(FlowKeys.pages)?.node.content,
      let steps = records?.singularSteps ?? records?.elementSteps, !steps.isEmpty
    else { return }
    let fields: [any FieldSpec] = [PagesKeys.from, PagesKeys.count, PagesKeys.more]
    for entry in mapping.entries where fields.contains(where: { $0.name == entry.name }) {
      guard case .scalar(let scalar) = entry.value.content, let path = try? JSONPath(parsing: scalar.text),
        let own = path.singularSteps, own.count > steps.count, own.starts(with: steps)
      else { continue }
      report(
        .invalidPath, "'\(printable(path.text))' leads into the records, which are not in the response any more",
        at: entry.value.range, help: "take a value of the last record with 'from_last', for example 'from_last: $.id'")
    }
  }
}
