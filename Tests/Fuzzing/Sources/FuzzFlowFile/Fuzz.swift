import FlowCompiler
import FlowRuntime
import FlowSpec
import FuzzSupport
import SourceDiagnostics

/// Opens nothing: flows are compiled and explained, not run.
private nonisolated(unsafe) let compiler = FlowCompiler(inputs: .init(secrets: ["TOKEN": Secret("s3cr3t-value")]))

/// A flow file, and the same bytes as the schema file beside it: whatever it holds, it is loaded, or refused with a place.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = input(start, count)
  let file = SourceFile(path: "flows/shop.yaml", bytes: bytes)
  let reader = SourceReader(
    workingFolder: "/home/me",
    names: { (folder) throws(SourceReadError) in folder.hasSuffix("schemas") ? ["shop.yaml"] : nil },
    bytes: { (_) throws(SourceReadError) in bytes })
  let loaded = FlowLoader(reader: reader).load([file])
  for diagnostic in loaded.diagnostics.diagnostics {
    guard let range = diagnostic.range else { continue }
    // Planted: a key that is there already has its place behind the file.
    let isLost = Plant.isSet && diagnostic.code.rawValue == "yaml.duplicate-key"
    let end = isLost ? bytes.count + 1 : range.offsets.upperBound
    require(end <= bytes.count, "a place outside of the file: \(diagnostic.code.rawValue)")
    require(range.start.line >= 1 && range.start.column >= 1, "a place before the file")
  }
  let text = DiagnosticRenderer().render(loaded.diagnostics.diagnostics)
  require(!text.contains("\u{1B}"), "an escape in a message")
  require(!loaded.flows.isEmpty || loaded.diagnostics.hasErrors || loaded.files.count == 1, "a file vanished")
  _ = FlowCompiler.problems(in: loaded.flows)
  for plan in compiler.compile(loaded.flows).plans {
    let shown = plan.explanation.items.map { $0.heading + $0.text }.joined(separator: "\n")
    require(!shown.contains("s3cr3t-value"), "a secret is explained")
  }
  return 0
}
