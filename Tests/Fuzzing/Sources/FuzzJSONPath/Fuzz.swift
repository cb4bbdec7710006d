import FuzzSupport
import JSONSyntax

/// A path on the first line, a text to ask on the others: nodes and values agree, and a path's text means the same again.
@_cdecl("LLVMFuzzerTestOneInput")
public func tryOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = input(start, count)
  let end = bytes.firstIndex(of: 0x0A) ?? bytes.endIndex
  guard let text = String(validating: bytes[..<end], as: UTF8.self) else { return 0 }
  let path: JSONPath
  do throws(JSONPathError) {
    path = try JSONPath(parsing: text)
  } catch {
    require((0...text.utf8.count).contains(error.offset), "an offset outside of the path")
    return 0
  }
  // Planted: the sign of a slice's end or step is lost.
  let written = Plant.isSet ? path.text.replacing(":-", with: ":") : path.text
  require((try? JSONPath(parsing: written)) == path, "the path's text means something else")
  let document = Array(bytes[min(end + 1, bytes.count)...])
  let root = (try? JSONValue(parsing: document)) ?? Shared.document
  // Hostile paths end soon.
  let budget = 300_000
  let values = (try? path.values(in: root, budget: budget)) ?? []
  guard let nodes = try? path.nodes(in: root, budget: budget) else { return 0 }
  require(nodes.count == values.count, "nodes and values differ in number")
  for (node, value) in zip(nodes, values).prefix(100) {
    require(node.value.isEquivalent(to: value), "a node is not its value")
    guard let location = try? JSONPath(parsing: node.location.normalizedPath) else {
      fatalError("a normalized path cannot be read: \(node.location.normalizedPath)")
    }
    let again = ((try? location.values(in: root)) ?? [])
    require(again.count == 1 && again[0].isEquivalent(to: value), "a normalized path leads elsewhere")
  }
  return 0
}

private enum Shared {
  static let document =
    (try? JSONValue(
      parsing: #"{"a":[1,2.5,-0,1e400,"x","é🙂",null,true,{"b":{"c":[[],{}]}}],"d":"2024-01-01","":{"a.b":[0,1,2,3]}}"#))
    ?? .null
}
