internal import FlowModel
internal import FlowSpec

extension RequestResolver {
  /// Returns the pages with the size that variables give; nil without pages, or after an error was reported.
  mutating func pages(_ declaration: FlowDeclaration) -> Pages? {
    guard var pages = declaration.pull.pages else { return nil }
    if let size = pages.size { pages.size?.count = filled(size.count, Pages.size) }
    return pages
  }

  /// A setting with its value; unchanged after an error was reported.
  mutating func filled<Value>(
    _ setting: Setting<Value>, _ parse: (String) throws(SettingError) -> Value
  ) -> Setting<Value> {
    value(of: setting, parse).map { .value(Located($0, at: setting.range)) } ?? setting
  }
}
