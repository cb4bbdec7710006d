import FlowModel
import SourceDiagnostics

/// Finds references to unknown flows, and cycles of flows, after all files are read.
struct FlowLinks {
  /// The content of a file, and the diagnostics found so far.
  struct File {
    let stem: String
    /// The content; nil if the file is not YAML.
    let reading: FlowReader.FileReading?
    var diagnostics: DiagnosticBag
  }

  /// The number of comparisons with known names that may still be made to find suggestions.
  private var comparisons = 50_000

  /// Checks all files and adds each diagnostic to its file.
  mutating func check(_ files: inout [File]) {
    guard files.contains(where: { $0.reading?.flows.contains { $0.each != nil } ?? false }) else { return }
    let flows = files.indices.flatMap { file in (files[file].reading?.flows ?? []).map { (file, $0) } }
    reportUnknown(flows, in: &files)
    let types = ParentTypes(flows.lazy.map(\.1))
    for (file, flow) in flows {
      // Errors in the declarations of variables were already reported when the file was read.
      let isTyped = files[file].reading?.hasInvalidNames == false
      for error in (isTyped ? types.errors(in: flow) : []) + types.keyErrors(in: flow) {
        files[file].diagnostics.report(error)
      }
    }
    let graph = FlowGraph(flows.map(\.1))
    for cycle in graph.cycles {
      let links = cycle.indices.compactMap { index -> (flow: Int, parent: Located<String>)? in
        let parent = graph.ids[cycle[(index + 1) % cycle.count]]
        return flows[cycle[index]].1.each?.flows.first { $0.value == parent }.map { (cycle[index], $0) }
      }
      guard let first = links.first, links.count == cycle.count else { continue }
      files[flows[first.flow].0].diagnostics.report(diagnostic(cycle.map { graph.ids[$0] }, links.map(\.parent)))
    }
  }

  /// The flows whose direct and indirect parents were all loaded. Flows of files with errors are not loaded.
  static func whole(_ flows: [FlowDeclaration]) -> [FlowDeclaration] {
    guard flows.contains(where: { $0.each != nil }) else { return flows }
    let known = Set(flows.lazy.map(\.id))
    let graph = FlowGraph(flows)
    let orphans = flows.indices.filter { !flows[$0].parents.allSatisfy(known.contains) }
    guard !orphans.isEmpty else { return flows }
    let lost = graph.withDescendants(Set(orphans))
    return flows.indices.filter { !lost.contains($0) }.map { flows[$0] }
  }

  /// Sets the key fields of each parent from its schema, which may be in another file.
  static func fillKeys(_ flows: inout [FlowDeclaration]) {
    var taken: Set<String> = []
    for index in flows.indices { taken.formUnion(flows[index].parents) }
    guard !taken.isEmpty else { return }
    var keys: [String: [String]] = [:]
    for index in flows.indices where taken.contains(flows[index].id) {
      keys[flows[index].id] = flows[index].schema?.key.map(\.value)
    }
    for index in flows.indices {
      guard var each = flows[index].each else { continue }
      for parent in each.parents.indices {
        if case .flow(let id) = each.parents[parent].source { each.parents[parent].schemaKey = keys[id.value] ?? [] }
      }
      flows[index].each = each
    }
  }

  private func diagnostic(_ ids: [String], _ links: [Located<String>]) -> Diagnostic {
    let help = "use another source in the 'each' of one flow of the cycle"
    guard ids.count > 1 else {
      return Diagnostic(
        .flowCycle, "flow '\(ids[0])' would take its records from itself", at: links[0].range, help: help)
    }
    let notes = ids.indices.dropFirst().prefix(20).map { index in
      Diagnostic.Note("'\(ids[index])' takes its records from '\(links[index].value)' here", at: links[index].range)
    }
    let path = ids.count <= 8 ? ids + [ids[0]] : ids.prefix(7) + ["…", ids[0]]
    return Diagnostic(
      .flowCycle, "flows take their records from each other: \(path.joined(separator: " <- "))",
      at: links[0].range, notes: notes, help: help)
  }

  private mutating func reportUnknown(_ flows: [(Int, FlowDeclaration)], in files: inout [File]) {
    var known: Set<String> = []
    // The files that may declare unknown flows, because some of their flows or names could not be read.
    var unread: Set<String> = []
    for file in files {
      let names = file.reading?.names ?? []
      known.formUnion(names.map { "\(file.stem).\($0.value)" })
      if names.isEmpty ? file.diagnostics.hasErrors : file.reading?.mayHaveMoreFlows ?? false {
        unread.insert(file.stem)
      }
    }
    let ids = known.sorted()
    for (file, flow) in flows {
      for parent in flow.each?.flows ?? [] where !known.contains(parent.value) {
        let stem = parent.value.split(separator: ".").dropLast().joined(separator: ".")
        if unread.contains(stem) { continue }
        files[file].diagnostics.report(unknown(parent, of: flow, among: ids))
      }
    }
  }

  private mutating func unknown(_ parent: Located<String>, of flow: FlowDeclaration, among ids: [String]) -> Diagnostic
  {
    let own = flow.file.stem + "."
    let isOwn = parent.value.hasPrefix(own)
    let written = isOwn ? String(parent.value.dropFirst(own.count)) : parent.value
    var suggestion: String?
    if comparisons > ids.count {
      comparisons -= ids.count
      let elsewhere = ids.filter { isOwn && $0.hasSuffix("." + written) }
      let candidates = ids.map { $0.hasPrefix(own) && isOwn ? String($0.dropFirst(own.count)) : $0 }
      suggestion = elsewhere.count == 1 ? elsewhere.first : NearMiss.suggestion(for: written, in: candidates)
    }
    return Diagnostic(
      .unknownFlow,
      isOwn
        ? "flow '\(written)' is not in this file" : "flow '\(written)' is not in the given files",
      at: parent.range, suggestion: suggestion,
      help: "a flow of another file is named 'file.flow', and its file must be given")
  }
}
