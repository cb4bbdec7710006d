import FlowModel
@testable import FlowRuntime
import JSONSyntax
import ReactorCore
import SourceDiagnostics
import Testing

/// How names are divided into groups.
@Suite struct FieldGroupDivisionTests {
  private static func groups(
    _ names: [String], always: [String] = [], max: Int? = nil, length: Int? = nil
  ) throws -> [[String]] {
    var groups = FieldGroups(range: SourceRange(file: SourceFile(path: "flows.yaml", text: ""), offsets: 0..<0))
    groups.maxNames = max
    groups.maxBytes = length
    return try groups.groups(of: names, always: always)
  }

  @Test func `names fill one group after the other`() throws {
    #expect(try Self.groups(["a", "b", "c"], max: 2) == [["a", "b"], ["c"]])
    #expect(try Self.groups(["a", "b", "c"], max: 3) == [["a", "b", "c"]])
    #expect(try Self.groups(["a", "b", "a", "c", "b"], always: ["c"], max: 2) == [["c", "a"], ["c", "b"]])
    #expect(try Self.groups([], max: 2) == [[]])
    #expect(try Self.groups([], always: ["a", "a"], max: 1) == [["a"]])
  }

  @Test func `a length counts scalars, with one character between two names`() throws {
    #expect(try Self.groups(["ab", "cd", "ef"], length: 5) == [["ab", "cd"], ["ef"]])
    #expect(try Self.groups(["ab", "cd", "ef"], length: 4) == [["ab"], ["cd"], ["ef"]])
    #expect(try Self.groups(["ab", "cd", "ef"], length: 8) == [["ab", "cd", "ef"]])
    #expect(try Self.groups(["é", "e\u{301}"], length: 3) == [["é"], ["e\u{301}"]])
    #expect(try Self.groups(["ab", "cd"], always: ["x"], length: 4) == [["x", "ab"], ["x", "cd"]])
    #expect(try Self.groups(["abc", "a", "b"], max: 2, length: 3) == [["abc"], ["a", "b"]])
  }

  @Test func `what fits into no group is an error`() {
    #expect(throws: ReactorError.self) { try Self.groups(["abc"], length: 2) }
    #expect(throws: ReactorError.self) { try Self.groups(["a"], always: ["b"], max: 1) }
    #expect(throws: ReactorError.self) { try Self.groups([], always: ["a", "b"], max: 1) }
    #expect(throws: ReactorError.self) { try Self.groups((0...1000).map { "n\($0)" }, max: 1) }
    #expect(throws: Never.self) { try Self.groups((0..<1000).map { "n\($0)" }, max: 1) }
  }
}
