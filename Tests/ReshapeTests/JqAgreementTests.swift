import Foundation
import JSONSyntax
import Reshape
import Testing

@Suite struct JqAgreementTests {
  @Test func `the table is as large as it claims to be`() {
    #expect(Programs.all.count >= 500)
    #expect(Set(Programs.all.map { "\($0.program)\u{0}\($0.input)" }).count == Programs.all.count)
  }

  @Test func `programs give what jq gives, or fail where jq fails`() throws {
    guard let jq = Jq() else {
      print("skipped: no jq on PATH to compare \(Programs.all.count) programs with")
      return
    }
    for (program, input) in Programs.all + Self.examples {
      let theirs = try jq.run(program, on: input)
      let ours = try Outcome.ours(program, input)
      #expect(ours.isSame(as: theirs), "\(program) on \(input): here \(ours), jq \(theirs)")
    }
  }

  /// The examples of the reference page, but for those that jq 1.6 does not know.
  private static let examples = Builtin.all.compactMap { builtin -> Programs.Pair? in
    builtin.isNew ? nil : builtin.example.map { ($0.program, $0.input) }
  }

  @Test(arguments: Builtin.all.filter { $0.example != nil }.map(\.signature))
  func `the examples of the reference page give what it says`(_ signature: String) throws {
    let example = try #require(Builtin.all.first { $0.signature == signature }?.example)
    let expected = try example.results.map { try JSONValue(parsing: $0) }
    let ours = try Outcome.ours(example.program, example.input)
    #expect(ours.isSame(as: .values(expected)), "\(example.program): \(ours)")
  }

  @Test func `every function has an example or is a part of others`() {
    for builtin in Builtin.all where !builtin.isInner && builtin.example == nil {
      #expect(builtin.signature == "tostream", "\(builtin.signature)")
    }
  }

  @Test(arguments: Difference.all.indices)
  func `the differences are as the reference page has them`(_ location: Int) throws {
    let difference = Difference.all[location]
    let results = try Outcome.ours(difference.program, difference.input)
    guard let expected = difference.results else {
      #expect(results.isSame(as: .failure), "\(results)")
      return
    }
    // By their texts: digits are one of the differences.
    guard case .values(let values) = results else {
      Issue.record("\(difference.program) fails")
      return
    }
    #expect(values.map { String(decoding: JSONWriter.bytes($0), as: UTF8.self) } == expected)
  }
}

/// The real jq, as one process for each program.
private struct Jq {
  let path: String
  /// A file, not a pipe: jq does not read its input when it refuses the program.
  private let input = FileManager.default.temporaryDirectory.appendingPathComponent("jq-\(UUID().uuidString).json")

  init?() {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let found = folders.map { "\($0)/jq" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let found else { return nil }
    path = found
  }

  func run(_ program: String, on input: String) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-c", program]
    try Data(input.utf8).write(to: self.input)
    defer { try? FileManager.default.removeItem(at: self.input) }
    let stdout = Pipe()
    process.standardInput = try FileHandle(forReadingFrom: self.input)
    process.standardOutput = stdout
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = stdout.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return .failure }
    return .values(try output.split(separator: 0x0A).map { try JSONValue(parsing: Array($0)) })
  }
}
