import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// The path of a file of items, with the flow file's folder; nil after an error was reported.
  mutating func itemPath(_ value: FieldValue) -> String? {
    read(ForKeys.file, short: value).flatMap { itemPath($0, at: value.node.range) }
  }

  /// Adds the flow file's folder to the path of a file of items; nil after an error was reported.
  mutating func itemPath(_ text: String, at range: SourceRange) -> String? {
    guard text.hasSuffix(".json") || text.hasSuffix(".jsonl") else {
      return fail(
        .generatedFlow, "'\(printable(text))' names no format of items", at: range,
        help: "end it with .json or .jsonl")
    }
    let normal = PathText.normalized(text)
    guard !text.hasPrefix("/"), !normal.hasPrefix("../"), !text.utf8.contains(where: ASCII.isControl) else {
      return fail(
        .generatedFlow, "'\(printable(text))' is not below the folder of the flow file", at: range,
        help: "write a path below it, without '..'")
    }
    return PathText.joined(folder: PathText.folder(of: file.path), normal)
  }

  /// The items of a file; nil if it does not exist, which is reported as a warning, or after an error was reported.
  ///
  /// - Parameter effect: what happens without the file, for the warning
  mutating func itemRecords(_ path: String, at range: SourceRange, without effect: String) -> [JSONValue]? {
    itemFiles.insert(path)
    let bytes: [UInt8]
    do throws(SourceReadError) {
      guard try reader.names(PathText.folder(of: path))?.contains(PathText.name(of: path)) ?? false else {
        return fail(
          .missingItems, "there is no file '\(printable(path))': \(effect)", at: range,
          help: "run the flow that writes it, or add the file")
      }
      bytes = try reader.bytes(path)
    } catch {
      return fail(
        .unreadableFile, "'\(printable(path))' cannot be read: \(error.message)", at: range,
        help: "check that you may read it")
    }
    let parts = path.hasSuffix(".jsonl") ? bytes.split(separator: UInt8(ascii: "\n")) : [bytes[...]]
    var records: [JSONValue] = []
    for (number, part) in parts.enumerated() where part.contains(where: { !ASCII.isSpace($0) }) {
      do throws(JSONError) {
        let value = try JSONValue(parsing: Array(part))
        records += path.hasSuffix(".jsonl") ? [value] : value.array ?? [value]
      } catch {
        return fail(
          .generatedFlow,
          "'\(printable(path))' is not JSON"
            + (path.hasSuffix(".jsonl") ? " in line \(number + 1)" : "") + ": \(error.message)", at: range,
          help: "correct the file, or write it again with the flow that makes it")
      }
    }
    return records
  }
}
