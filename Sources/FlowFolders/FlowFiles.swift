package import FlowSpec
package import SourceDiagnostics
internal import Storage
internal import Synchronization
package import YAMLSyntax

/// The flow files that a command line names, with their content.
package struct FlowFiles {
  /// The folder that is searched when no path is given.
  package static let standardFolder = "flows"
  /// The maximum depth to which folders are searched.
  private static let deepest = 32
  /// The maximum number of files and folders that one search may visit.
  private static let most = 100_000

  package private(set) var files: [SourceFile] = []
  package private(set) var diagnostics = DiagnosticBag()
  private let limits: YAMLLimits
  private var visited = 0
  private var seen: Set<String> = []

  /// Finds and reads files.
  ///
  /// A folder is searched for `*.yaml` and `*.yml`, with its subfolders. Hidden folders and files are skipped. Folders
  /// named `schemas` are skipped too, because they contain schema files and not flow files.
  package init(_ paths: [String], limits: YAMLLimits = YAMLLimits()) {
    self.limits = limits
    for named in paths.isEmpty ? [Self.standardFolder] : paths {
      // A path that a person names may contain links. Below it, and in the folder of the project, links are not
      // followed.
      let path = paths.isEmpty ? named : WholeFile.resolvingLinks(in: named)
      do throws(SourceReadError) {
        switch try DiskFiles.kind(of: path, isNamed: !paths.isEmpty) {
        case .folder: search(path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path, depth: 0)
        case .file: take(path)
        case .other: take(named, isNamed: true)
        case nil: missing(path, isStandard: paths.isEmpty)
        }
      } catch {
        unreadable(path, error)
      }
    }
  }

  /// Gives the loader access to the disk; `read` is called with the path of each file before it is read.
  private func reader(_ read: @escaping @Sendable (String) -> Void = { _ in }) -> SourceReader {
    let limits = limits
    return SourceReader(workingFolder: DiskFiles.workingFolder) { (folder) throws(SourceReadError) in
      try DiskFiles.names(in: folder)
    } bytes: { (path) throws(SourceReadError) in
      read(path)
      return try DiskFiles.bytes(of: path, limit: limits.bytes)
    }
  }

  /// Loads all declarations of the files.
  ///
  /// - Parameters:
  ///   - overrides: values of variables, which may determine which flows are generated
  ///   - isInferring: whether flows whose fields are not known yet are loaded too, to infer their fields
  package func load(_ overrides: VariableOverrides, isInferring: Bool = false) -> LoadedFlows {
    load(overrides, isInferring: isInferring, reader: reader())
  }

  /// Loads all declarations of the files, and lists all files that were read for them, with those of schemas and items.
  package func loadListing(_ overrides: VariableOverrides) -> (loaded: LoadedFlows, paths: [String]) {
    let read = ReadPaths()
    for file in files { read.insert(file.path) }
    let loaded = load(overrides, isInferring: false, reader: reader { read.insert($0) })
    return (loaded, read.sorted)
  }

  private func load(_ overrides: VariableOverrides, isInferring: Bool, reader: SourceReader) -> LoadedFlows {
    var loaded = FlowLoader(reader: reader, limits: limits, overrides: overrides, isInferring: isInferring).load(files)
    var all = diagnostics
    all.merge(loaded.diagnostics)
    loaded.diagnostics = all
    return loaded
  }

  // MARK: - Searching

  private mutating func search(_ folder: String, depth: Int) {
    guard depth <= Self.deepest else {
      return unreadable(folder, SourceReadError("it lies more than \(Self.deepest) folders deep"))
    }
    do throws(SourceReadError) {
      for name in (try DiskFiles.names(in: folder) ?? []).sorted() where !name.hasPrefix(".") {
        let path = folder == "." ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
        visited += 1
        guard visited <= Self.most else {
          if visited == Self.most + 1 {
            unreadable(folder, SourceReadError("there are more than \(Self.most) files and folders in all"))
          }
          return
        }
        do throws(SourceReadError) {
          switch try DiskFiles.kind(of: path, isNamed: false) {
          case .folder: if name != "schemas" { search(path, depth: depth + 1) }
          case .file: if name.hasSuffix(".yaml") || name.hasSuffix(".yml") { take(path) }
          case .other, nil: break
          }
        } catch {
          unreadable(path, error)
        }
      }
    } catch {
      unreadable(folder, error)
    }
  }

  private mutating func take(_ path: String, isNamed: Bool = false) {
    guard seen.insert(path).inserted else { return }
    do throws(SourceReadError) {
      let bytes =
        isNamed
        ? try DiskFiles.bytesAndMode(named: path, limit: limits.bytes).bytes
        : try DiskFiles.bytes(of: path, limit: limits.bytes)
      files.append(SourceFile(path: path, bytes: bytes))
    } catch {
      unreadable(path, error)
    }
  }

  // MARK: - Problems

  /// Whether the text of a path looks like the id of a flow, or like a pattern of ids, which belong to `-s`.
  private static func looksLikeFlow(_ path: String) -> Bool {
    path.wholeMatch(of: /[A-Za-z0-9_*-]+(\.[A-Za-z0-9_*-]+)?/) != nil && !path.hasSuffix(".yaml")
      && !path.hasSuffix(".yml")
  }

  private mutating func missing(_ path: String, isStandard: Bool) {
    diagnostics.report(
      Diagnostic(
        FlowCode.unreadableFile.code, "the file or folder '\(path)' does not exist", at: nil,
        help: isStandard
          ? "name your flow files, or put them into a folder '\(Self.standardFolder)' of the working folder"
          : Self.looksLikeFlow(path)
            ? "select a flow by its name with '-s \(path)'" : "check the path; it is relative to the working folder"))
  }

  private mutating func unreadable(_ path: String, _ error: SourceReadError) {
    diagnostics.report(
      Diagnostic(
        FlowCode.unreadableFile.code, "'\(path)' cannot be read: \(error.message)", at: nil,
        help: "check that it is a file or a folder that you may read"))
  }
}

/// The paths of the files that were read, by any thread.
private final class ReadPaths: Sendable {
  private let paths = Mutex<Set<String>>([])

  var sorted: [String] { paths.withLock { $0.sorted() } }

  func insert(_ path: String) { paths.withLock { _ = $0.insert(path) } }
}
