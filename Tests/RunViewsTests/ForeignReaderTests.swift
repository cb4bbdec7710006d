import Foundation
import JSONSyntax
import RunViews
import Testing

/// Reports read by programs that we did not write.
@Suite(.timeLimit(.minutes(3))) struct ForeignReaderTests {
  static let names = ["mixed", "untimed", "green", "large", "empty"]

  static func report(_ name: String) -> RunReport {
    switch name {
    case "mixed": SampleRun.report()
    case "untimed": SampleRun.report(hasTiming: false)
    case "green": SampleRun.large(7) { _ in false }
    case "large": SampleRun.large(1000)
    default: SampleRun.large(0)
    }
  }

  @Test(arguments: names)
  func `junitparser counts the same`(name: String) throws {
    let report = Self.report(name)
    guard let python = try ForeignTool.python(for: "JUnit read by junitparser") else { return }
    let script = """
      import sys
      from junitparser import JUnitXml, Failure, Error, Skipped
      xml = JUnitXml.fromfile(sys.argv[1])
      cases = [case for suite in xml for case in suite]
      kinds = [type(result) for case in cases for result in case.result]
      assert xml.tests == len(cases) and xml.errors == kinds.count(Error), (xml.tests, xml.errors)
      print(len(cases), kinds.count(Failure), kinds.count(Error), kinds.count(Skipped), len({(c.classname, c.name) for c in cases}))
      """
    let ended = try ForeignTool.withFile(Array(JUnitReport().text(report).utf8), "junit.xml") {
      try ForeignTool.run(python, ["-c", script, $0])
    }
    #expect(ended.output == "\(Self.counts(report)) \(report.flows.count + report.faults.count)\n")
  }

  @Test(arguments: names)
  func `xunitparser counts the same`(name: String) throws {
    let report = Self.report(name)
    guard let python = try ForeignTool.python(for: "JUnit read by xunitparser") else { return }
    let script = """
      import sys, xunitparser
      suite, result = xunitparser.parse(open(sys.argv[1], encoding='utf-8'))
      cases = list(suite)
      kinds = [case.result for case in cases]
      print(len(cases), kinds.count('failure'), kinds.count('error'), kinds.count('skipped'))
      """
    let ended = try ForeignTool.withFile(Array(JUnitReport().text(report).utf8), "junit.xml") {
      try ForeignTool.run(python, ["-c", script, $0])
    }
    #expect(ended.output == "\(Self.counts(report))\n")
  }

  @Test(arguments: names)
  func `xmllint takes the document`(name: String) throws {
    let report = Self.report(name)
    guard let xmllint = ForeignTool.find("xmllint", for: "JUnit read by xmllint") else { return }
    let path = "string(count(//testcase))"
    let ended = try ForeignTool.withFile(Array(JUnitReport().text(report).utf8), "junit.xml") {
      try ForeignTool.run(xmllint, ["--nonet", "--xpath", path, $0])
    }
    #expect(ended.status == 0)
    #expect(
      ended.output.trimmingCharacters(in: .whitespacesAndNewlines) == "\(report.flows.count + report.faults.count)")
  }

  @Test(arguments: ["mixed", "green", "large"])
  func `prove judges the stream`(name: String) throws {
    let report = Self.report(name)
    guard let prove = ForeignTool.find("prove", for: "TAP read by prove") else { return }
    var text = TAPReport().text(report)
    // Test::Harness takes version 14 since 3.48 and is a parser of 13 before; all else that is written is in both.
    let isOld = try ForeignTool.run("/usr/bin/env", ["perl", "-MTAP::Parser 3.48", "-e", "1"]).status != 0
    #expect(text.hasPrefix("TAP version 14\n"))
    if isOld { text = "TAP version 13\n" + text.dropFirst("TAP version 14\n".count) }
    let ended = try ForeignTool.withFile(Array(text.utf8), "results.tap") {
      try ForeignTool.run(prove, ["--exec", "cat", "--parse", $0])
    }
    #expect((ended.status == 0) == (report.exit == 0 || name == "green"), "\(ended.output.suffix(500))")
    #expect(!ended.output.contains("Parse errors"), "\(ended.output.suffix(500))")
    if report.isComplete {
      #expect(ended.output.contains("Tests=\(report.flows.count)"), "\(ended.output.suffix(500))")
    } else {
      #expect(ended.output.contains("Bailout called"), "\(ended.output.suffix(500))")
    }
  }

  @Test(arguments: names)
  func `the JSON report fits its schema`(name: String) throws {
    let report = Self.report(name)
    guard let python = try ForeignTool.python(for: "the JSON report checked by jsonschema") else { return }
    let script = """
      import json, sys, jsonschema
      schema = json.load(open(sys.argv[1]))
      jsonschema.Draft7Validator.check_schema(schema)
      jsonschema.validate(json.load(open(sys.argv[2])), schema, cls=jsonschema.Draft7Validator)
      print('fits')
      """
    let ended = try ForeignTool.withFile(Array(RunReportSchema.text.utf8), "schema.json") { schema in
      try ForeignTool.withFile(report.jsonLine, "report.json") {
        try ForeignTool.run(python, ["-c", script, schema, $0])
      }
    }
    #expect(ended.output == "fits\n")
  }

  private static func counts(_ report: RunReport) -> String {
    let errors = report.count(.error) + report.faults.count
    return "\(report.flows.count + report.faults.count) \(report.count(.failed)) \(errors) \(report.count(.cancelled))"
  }
}
