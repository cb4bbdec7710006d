internal import DetachedThread
public import SourceDiagnostics
public import YAMLSyntax

/// Loads flow files and the schema files that belong to them.
///
/// ```swift
/// let loaded = FlowLoader(reader: .nothing).load([SourceFile(path: "flows/shop.yaml", bytes: bytes)])
/// for flow in loaded.flows { print(flow.id) }
/// ```
///
/// One pass finds all problems of all files. The flows of a file with errors are left out, and so are the child flows
/// of these flows.
public struct FlowLoader: Sendable {
  private let reader: SourceReader
  private let limits: YAMLLimits
  private let overrides: VariableOverrides
  private let isInferring: Bool

  /// Creates a loader with access to schema files and files of items, and with limits that apply to every file.
  ///
  /// - Parameters:
  ///   - overrides: values of variables; lists from which flows are generated (`for`) may use them
  ///   - isInferring: whether flows whose fields are not known yet are loaded too, to infer their fields
  public init(
    reader: SourceReader, limits: YAMLLimits = YAMLLimits(), overrides: VariableOverrides = VariableOverrides(),
    isInferring: Bool = false
  ) {
    self.reader = reader
    self.limits = limits
    self.overrides = overrides
    self.isInferring = isInferring
  }

  /// Loads files that are already in memory. Of files with the same path, the first is used.
  public func load(_ files: [SourceFile]) -> LoadedFlows {
    var seen: Set<String> = []
    let unique = files.filter { seen.insert(PathText.normalized($0.path)).inserted }.sorted { $0.path < $1.path }
    var folders = SchemaFolders(reader: reader, limits: limits)
    let orders = unique.map { Order(file: $0, outer: folders.schemas(for: $0.path)) }
    let budget = LoadBudget()
    let readings = orders.concurrentChunks(minimum: 8) { [self] in $0.map { read($0.file, outer: $0.outer, budget) } }
    var checks = FlowChecks()
    var files = zip(unique, readings.joined()).map { file, read in
      FlowLinks.File(stem: PathText.stem(of: file.path), reading: read.0, diagnostics: read.1)
    }
    for index in files.indices {
      if let reading = files[index].reading { checks.take(reading, diagnostics: &files[index].diagnostics) }
    }
    var links = FlowLinks()
    links.check(&files)
    var loaded = LoadedFlows(flows: [], files: [], diagnostics: DiagnosticBag())
    for file in files {
      loaded.diagnostics.merge(file.diagnostics)
      guard let reading = file.reading else { continue }
      loaded.files.append(reading.declaration)
      loaded.itemFiles.formUnion(reading.itemFiles)
      loaded.unlocked.formUnion(reading.unlocked)
      if file.diagnostics.hasErrors { continue }
      // A declaration is large, and copying thousands takes time. So the flows of the first file are moved, not copied.
      if loaded.flows.isEmpty { loaded.flows = reading.flows } else { loaded.flows += reading.flows }
    }
    loaded.flows = FlowLinks.whole(loaded.flows)
    FlowLinks.fillKeys(&loaded.flows)
    loaded.diagnostics.merge(folders.diagnostics)
    SharedStateCheck.checkDeclarations(of: loaded.files, &loaded.diagnostics)
    loaded.diagnostics = loaded.diagnostics.sorted
    return loaded
  }

  /// Reads a file. Returns its content, which is nil if it is not YAML, and its diagnostics.
  private func read(
    _ file: SourceFile, outer: SchemaSet, _ budget: LoadBudget
  ) -> (FlowReader.FileReading?, DiagnosticBag) {
    var diagnostics = DiagnosticBag()
    guard let root = YAMLDocument.parse(file, limits: limits, diagnostics: &diagnostics) else {
      return (nil, diagnostics)
    }
    var reader = FlowReader(file, reader: reader, overrides: overrides)
    reader.isInferring = isInferring
    reader.budget = budget
    let reading = reader.flowFile(root, outer: outer)
    diagnostics.merge(reader.diagnostics)
    return (reading, diagnostics)
  }
}

/// A file to read, with the schemas of its `schemas` folder.
private struct Order: Sendable {
  let file: SourceFile
  let outer: SchemaSet
}

extension DiagnosticBag {
  /// The diagnostics sorted by file and position, without duplicates.
  fileprivate var sorted: DiagnosticBag {
    var bag = DiagnosticBag()
    // An error in a part that all flows of a file share is found once for each flow.
    for diagnostic in withoutRepeats.diagnostics.sortedByPlace() { bag.report(diagnostic) }
    return bag
  }
}

/// The declarations of a set of flow files, and all their diagnostics.
public struct LoadedFlows: Sendable {
  /// The flows of all files without errors. Files are sorted by path, and flows are in the order written.
  public var flows: [FlowDeclaration]
  /// All files that are valid YAML, sorted by path. Files with other errors are included.
  public var files: [FileDeclaration]
  /// The paths of the files whose items determine which flows are generated, or which fields a schema has.
  public var itemFiles: Set<String> = []
  /// The ids of the flows whose fields are not known yet. They are loaded only to infer their fields.
  public var unlocked: Set<String> = []
  /// All problems of all files, sorted by file and position.
  public var diagnostics: DiagnosticBag
}
