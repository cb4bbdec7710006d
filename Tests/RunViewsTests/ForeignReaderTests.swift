import Foundation
import JSONSyntax
import ReactorCore
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
    #expect(ended.output == "\(Self.counts(report)) \(report.flows.count + report.errors.count)\n")
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
      ended.output.trimmingCharacters(in: .whitespacesAndNewlines) == "\(report.flows.count + report.errors.count)")
  }

  @Test(arguments: ["mixed", "green", "large"], ["--exec=cat", "--source=File"])
  func `prove takes the report as it is and judges like us`(name: String, reading: String) throws {
    guard let prove = ForeignTool.find("prove", for: "TAP read by prove") else { return }
    try Self.judge(prove, Self.report(name), .tap, reading: reading)
  }

  @Test(arguments: ["mixed", "green", "large"])
  func `prove takes the strict header where it knows version 14`(name: String) throws {
    guard let prove = ForeignTool.find("prove", for: "TAP 14 read by prove") else { return }
    guard try ForeignTool.run("/usr/bin/env", ["perl", "-MTAP::Parser 3.48", "-e", "1"]).status == 0 else {
      // Held against the other stream instead, of which it knows everything else.
      let (old, new) = (TAPReport().text(Self.report(name)), TAPReport(.strict).text(Self.report(name)))
      #expect(old.split(separator: "\n").dropFirst(2) == new.split(separator: "\n").dropFirst(1))
      print("skipped: TAP 14 read by prove: this one is older than 3.48 and refuses the number")
      return
    }
    try Self.judge(prove, Self.report(name), .tap14, reading: "--exec=cat")
  }

  @Test func `the parser of Perl finds the reasons in the YAML blocks`() throws {
    guard let perl = ForeignTool.find("perl", for: "TAP read by TAP::Parser"),
      ForeignTool.find("prove", for: "TAP read by TAP::Parser") != nil
    else { return }
    let report = SampleRun.report()
    let script = """
      use TAP::Parser;
      binmode STDOUT, ':utf8';
      my $parser = TAP::Parser->new({ source => $ARGV[0], sources => { File => { extensions => ['.tap'] } } });
      my $last = '';
      while (my $line = $parser->next) {
        $last = $line->description if $line->is_test;
        print "$last | ", $line->data->{severity}, " | ", $line->data->{at}{line} // '-', "\\n" if $line->is_yaml;
      }
      print 'errors: ', join(', ', $parser->parse_errors), "\\n";
      """
    let ended = try ForeignTool.withFile(Array(TAPReport().text(report).utf8), "results.tap") {
      try ForeignTool.run(perl, ["-e", script, $0])
    }
    let told = report.flows.filter {
      $0.status != .passed || $0.failure != nil || $0.rejected > 0 || !$0.warnings.isEmpty
    }
    let expected =
      report.errors.map { "- \($0.location) | error | \($0.line ?? 0)\n" }
      + told.map { flow in
        let severity = flow.status == .passed ? "comment" : flow.status == .failed ? "fail" : "error"
        let error = flow.failure?.location ?? flow.warnings.first?.location
        return "- \(flow.id) | \(severity) | \(error?.line ?? flow.line)\n"
      }
    #expect(ended.output == expected.joined() + "errors: \n")
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
    let ended = try ForeignTool.withFile(Array(RunReport.schema.utf8), "schema.json") { schema in
      try ForeignTool.withFile(report.jsonLine, "report.json") {
        try ForeignTool.run(python, ["-c", script, schema, $0])
      }
    }
    #expect(ended.output == "fits\n")
  }

  private static func judge(_ prove: String, _ report: RunReport, _ format: ReportFormat, reading: String) throws {
    let bytes = try #require(format.bytes(report))
    let ended = try ForeignTool.withFile(bytes, "results.tap") {
      try ForeignTool.run(prove, [reading, "--parse", $0])
    }
    let told = "\(ended.output.suffix(500))"
    #expect((ended.status == 0) == report.flows.allSatisfy { $0.status == .passed }, "\(told)")
    #expect(!ended.output.contains("Parse errors") && !ended.output.contains("TAP version"), "\(told)")
    if report.isComplete {
      #expect(ended.output.contains("Tests=\(report.flows.count)"), "\(told)")
    } else {
      #expect(ended.output.contains("Bailout called") || ended.output.contains("Further testing stopped"), "\(told)")
    }
  }

  private static func counts(_ report: RunReport) -> String {
    let errors = report.count(.error) + report.errors.count
    return "\(report.flows.count + report.errors.count) \(report.count(.failed)) \(errors) \(report.count(.cancelled))"
  }
}
