import SourceDiagnostics
import YAMLSyntax

/// Finds the `schemas` folder for each flow file, and reads each folder once.
struct SchemaFolders {
  private let reader: SourceReader
  private let limits: YAMLLimits
  private(set) var diagnostics = DiagnosticBag()
  /// The schemas that flow files can use, by the folder of the flow files.
  private var byFlowFolder: [String: SchemaSet] = [:]
  /// The schemas that a `schemas` folder contains, by its path.
  private var bySchemaFolder: [String: SchemaSet] = [:]

  init(reader: SourceReader, limits: YAMLLimits) {
    self.reader = reader
    self.limits = limits
  }

  /// The schemas of the nearest `schemas` folder.
  ///
  /// The search starts in the flow file's folder and continues in its parent folders.
  mutating func schemas(for path: String) -> SchemaSet {
    let folder = PathText.normalized(PathText.folder(of: path))
    if let known = byFlowFolder[folder] { return known }
    var found = SchemaSet()
    for ancestor in ancestors(of: folder) {
      let candidate = PathText.joined(folder: ancestor, "schemas")
      if let known = bySchemaFolder[candidate] {
        found = known
        break
      }
      do throws(SourceReadError) {
        guard let names = try reader.names(candidate) else { continue }
        found = read(candidate, names: names)
      } catch {
        report("folder '\(candidate)' cannot be read: \(error.message)", at: nil)
      }
      bySchemaFolder[candidate] = found
      break
    }
    byFlowFolder[folder] = found
    return found
  }

  /// A folder and all its parent folders, nearest first.
  ///
  /// For a relative path, they include the parent folders of the working folder.
  private func ancestors(of folder: String) -> [String] {
    var result = [folder]
    var parts = folder.split(separator: "/").map(String.init)
    let isAbsolute = folder.hasPrefix("/")
    while let last = parts.last, last != ".." {
      parts.removeLast()
      result.append((isAbsolute ? "/" : "") + parts.joined(separator: "/"))
    }
    guard !isAbsolute else { return result }
    let above = reader.workingFolder.split(separator: "/").count
    while parts.count < above {
      parts.append("..")
      result.append(parts.joined(separator: "/"))
    }
    return result
  }

  private mutating func read(_ folder: String, names: [String]) -> SchemaSet {
    var raws: [RawSchema] = []
    var mayHaveMore = false
    let files = names.filter { ($0.hasSuffix(".yaml") || $0.hasSuffix(".yml")) && !$0.hasPrefix(".") }.sorted()
    for name in files {
      let path = PathText.joined(folder: folder, name)
      let bytes: [UInt8]
      do throws(SourceReadError) {
        bytes = try reader.bytes(path)
      } catch {
        report(
          "cannot be read: \(error.message)", at: SourceRange(file: SourceFile(path: path, bytes: []), offsets: 0..<0))
        mayHaveMore = true
        continue
      }
      let file = SourceFile(path: path, bytes: bytes)
      guard let root = YAMLDocument.parse(file, limits: limits, diagnostics: &diagnostics) else {
        mayHaveMore = true
        continue
      }
      var reader = FlowReader(file, reader: self.reader)
      let read = reader.schemaFile(root)
      raws += read.schemas
      mayHaveMore = mayHaveMore || read.mayHaveMore
      diagnostics.merge(reader.diagnostics)
    }
    var resolver = SchemaResolver(raws, file: SourceFile(path: folder, bytes: []))
    var set = resolver.resolveAll()
    set.mayHaveMore = mayHaveMore
    diagnostics.merge(resolver.diagnostics)
    return set
  }

  private mutating func report(_ message: String, at range: SourceRange?) {
    diagnostics.report(
      .unreadableFile, message, at: range, help: "check that it exists and that you may read it")
  }
}
