internal import FlowModel
internal import FlowSpec
internal import SourceDiagnostics

/// The secrets that flows use and nobody gives, with the sources that their files name.
struct NeededSecrets {
  private var sources: [String: Located<SecretSource>] = [:]
  private var problems = DiagnosticBag()

  /// Adds the secrets that a part of a file uses, and those that all its parts share.
  ///
  /// - Parameter given: the values of secrets that are given, by name
  mutating func add(_ names: Set<String>, of file: FileDeclaration, given: [String: String]) {
    guard !file.secretSources.isEmpty else { return }
    for name in names.union(file.sharedSecrets).sorted() where given[name] == nil {
      guard let source = file.secretSources[name] else { continue }
      guard let first = sources.updateValue(sources[name] ?? source, forKey: name), first.value != source.value else {
        continue
      }
      problems.report(
        Diagnostic(
          FlowCode.contradiction.code, "secret '\(name)' has two sources", at: source.range,
          notes: [Diagnostic.Note("the other one is \(first.value.words)", at: first.range)],
          help: "a name means one secret in all files: rename one of them"))
    }
  }

  /// The values by name, and the errors of sources that have none.
  func read(by reader: SecretReader) -> (values: [String: String], problems: DiagnosticBag) {
    var values: [String: String] = [:]
    var problems = problems
    guard !problems.hasErrors else { return ([:], problems) }
    for (name, source) in sources.sorted(by: { $0.key < $1.key }) {
      do throws(SecretReader.Unread) {
        values[name] = try reader.value(in: source.value, of: name)
      } catch {
        problems.report(
          Diagnostic(
            FlowCode.templateUnsetSecret.code, "secret '\(name)' has no value: \(error.message)", at: source.range,
            help: error.help))
      }
    }
    return (values, problems)
  }

  /// Placeholders for the secrets with sources, for a description of flows, which reads none.
  static func placeholders(for files: [FileDeclaration]) -> [String: Secret] {
    let names = files.flatMap(\.secretSources.keys)
    return Dictionary(names.map { ($0, Secret("unset-secret", standsFor: .unset)) }) { first, _ in first }
  }
}
