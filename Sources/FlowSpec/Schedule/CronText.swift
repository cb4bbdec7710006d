package import FlowModel
internal import SourceDiagnostics

/// The error in a text of cron, with its location and how to fix it.
package struct CronError: Error, Sendable, Hashable {
  /// The description of the error: lower case, no full stop.
  package let message: String
  /// The bytes of the text that are wrong.
  package let offsets: Range<Int>
  /// The instruction to fix the error.
  package let help: String
}

/// Reads the five fields of cron, and the words `@hourly`, `@daily`, `@weekly`, `@monthly` and `@yearly`.
///
/// What engines read in different ways is an error: a range that goes over the end of its field, the characters `?`,
/// `L`, `W` and `#`, and seconds.
package enum CronText {
  private static let words = [
    "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
  ]

  /// Parses a text.
  package static func times(in text: String) throws(CronError) -> CronTimes {
    if text.hasPrefix("@") {
      guard let fields = words[text] else {
        throw CronError(
          message: "'\(PrintableText.of(text, limit: 60))' is not a word of cron", offsets: 0..<text.utf8.count,
          help: "the words are \(words.keys.sorted().joined(separator: ", "))")
      }
      return try times(in: fields)
    }
    let parts = Array(text.utf8).indexedWords
    guard parts.count == Kind.all.count else {
      throw CronError(
        message: "cron has 5 fields, and this text has \(parts.count)", offsets: 0..<text.utf8.count,
        help: parts.count == 6
          ? "leave the seconds or the year out: minute, hour, day of the month, month, day of the week"
          : "write minute, hour, day of the month, month and day of the week, for example '30 2 * * *'")
    }
    var fields: [CronTimes.Field] = []
    for (part, kind) in zip(parts, Kind.all) { fields.append(try FieldParser(kind, part).field()) }
    let times = CronTimes(
      minute: fields[0], hour: fields[1], day: fields[2], month: fields[3], weekday: fields[4])
    guard times.comes else {
      throw CronError(
        message: "the day '\(times.day.text)' never comes in month '\(times.month.text)'",
        offsets: parts[2].offsets.lowerBound..<parts[3].offsets.upperBound, help: "correct the day or the month")
    }
    let days = [times.day, times.weekday]
    if days.allSatisfy({ !$0.isAny }), let stepped = days.firstIndex(where: { $0.text.hasPrefix("*/") }) {
      throw CronError(
        message: "engines read '\(days[stepped].text)' together with another field of days in different ways",
        offsets: parts[stepped == 0 ? 2 : 4].offsets, help: "write the days as a list, or let one of the fields be '*'")
    }
    return times
  }

  /// One of the five fields: its bounds and names.
  fileprivate struct Kind {
    let noun: String
    let bounds: ClosedRange<Int>
    /// The names of the numbers from `first` on.
    let names: [String]
    let first: Int

    init(_ noun: String, _ bounds: ClosedRange<Int>, names: [String] = [], first: Int = 0) {
      self.noun = noun
      self.bounds = bounds
      self.names = names
      self.first = first
    }

    static let all = [
      Kind("minute", 0...59), Kind("hour", 0...23), Kind("day of the month", 1...31),
      Kind(
        "month", 1...12,
        names: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"], first: 1),
      // 7 is Sunday, too.
      Kind("day of the week", 0...7, names: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]),
    ]
  }

  /// A part of a text, with its offset in the text.
  fileprivate struct Part {
    let bytes: ArraySlice<UInt8>
    var offsets: Range<Int> { bytes.indices }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The text for messages.
    var shown: String { PrintableText.of(text, limit: 60) }

    func split(by separator: Character) -> [Part] {
      bytes.split(separator: separator.asciiValue ?? 0, omittingEmptySubsequences: false).map { Part(bytes: $0) }
    }
  }

  /// Reads one field.
  private struct FieldParser {
    let kind: Kind
    let part: Part

    init(_ kind: Kind, _ part: Part) {
      self.kind = kind
      self.part = part
    }

    func field() throws(CronError) -> CronTimes.Field {
      var texts: [String] = []
      var bits = UInt64(0)
      var hasSeven = false
      for item in part.split(by: ",") {
        let (text, numbers) = try self.item(item)
        texts.append(text)
        for number in numbers {
          hasSeven = hasSeven || number == 7 && kind.bounds.upperBound == 7
          bits |= 1 << UInt64(number)
        }
      }
      // Some engines do not know 7 as Sunday.
      if hasSeven {
        bits = bits & 0x7F | 1
        texts = (0...6).filter { bits >> UInt64($0) & 1 == 1 }.map { String($0) }
      }
      let isAny = texts.contains("*") || hasSeven && texts.count == 7
      return CronTimes.Field(text: isAny ? "*" : texts.joined(separator: ","), bits: bits)
    }

    /// One element of the list: `*`, `5`, `1-5`, `*/10` or `0-30/10`.
    private func item(_ item: Part) throws(CronError) -> (text: String, numbers: [Int]) {
      let parts = item.split(by: "/")
      guard parts.count <= 2, let base = parts.first else { throw error("'\(item.shown)' has two steps", item) }
      // `*` in the days of the week ends with Saturday.
      let most = kind.bounds.upperBound == 7 ? 6 : kind.bounds.upperBound
      let range = base.text == "*" ? kind.bounds.lowerBound...most : try self.range(base)
      let text =
        base.text == "*" ? "*" : range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
      guard let last = parts.dropFirst().first else { return (text, Array(range)) }
      guard range.count > 1 else {
        throw error(
          "'\(item.shown)' has a step, but no range", item, help: "write '\(base.shown)-\(most)/\(last.shown)'")
      }
      guard let step = Int(last.text), last.bytes.allSatisfy(ASCII.isDigit), (1..<range.count).contains(step) else {
        throw error(
          "'\(last.shown)' is not a step in the field of the \(kind.noun)", last,
          help: "it must be from 1 to \(range.count - 1)")
      }
      let numbers = Array(stride(from: range.lowerBound, through: range.upperBound, by: step))
      return (step == 1 ? text : "\(text)/\(step)", numbers)
    }

    private func range(_ part: Part) throws(CronError) -> ClosedRange<Int> {
      let ends = part.split(by: "-")
      guard ends.count <= 2, let first = ends.first, let last = ends.last else {
        throw error("'\(part.shown)' is not a range", part)
      }
      let (low, high) = (try number(first), try number(last))
      guard low <= high else {
        throw error(
          "the range '\(part.shown)' goes over the end of its field", part,
          help: "write two ranges with a comma: from '\(first.shown)' to the end, and from the start to '\(last.shown)'"
        )
      }
      return low...high
    }

    private func number(_ part: Part) throws(CronError) -> Int {
      if let index = kind.names.firstIndex(of: part.text.uppercased()) { return index + kind.first }
      guard !part.bytes.isEmpty, part.bytes.allSatisfy(ASCII.isDigit), let number = Int(part.text) else {
        throw error("'\(part.shown)' is not a \(kind.noun)", part)
      }
      guard kind.bounds.contains(number) else {
        throw error("\(number) is out of range for the \(kind.noun)", part)
      }
      return number
    }

    private func error(_ message: String, _ part: Part, help: String? = nil) -> CronError {
      let names = kind.names.first.map { ", or a name such as \($0)" } ?? ""
      return CronError(
        message: message, offsets: part.offsets.isEmpty ? self.part.offsets : part.offsets,
        help: help
          ?? "write a \(kind.noun) from \(kind.bounds.lowerBound) to \(kind.bounds.upperBound)\(names), a list, a range "
          + "such as 1-5, or a step such as */5")
    }
  }
}

extension [UInt8] {
  /// The parts between spaces.
  fileprivate var indexedWords: [CronText.Part] {
    split { $0 == 0x20 || $0 == 0x09 }.map { CronText.Part(bytes: $0) }
  }
}
